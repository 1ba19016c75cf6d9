import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import type { Browser } from '@playwright/test'
import { seedRecordsAt } from '#apps/bff/src/testing/seed-records.ts'
import { bareReactPage, cardPage } from '#bench/harness/bare-pages.ts'
import { busyPart, freshPage, keyToPaint, openBrowser, scroll, watchLoad, type Load } from '#bench/harness/browser.ts'
import { startScript } from '#bench/harness/processes.ts'
import { digits, line, type Line, type Row } from '#bench/harness/row.ts'
import { ask, browserAddress } from '#bench/harness/sessions.ts'
import { inTurns, median, quantile } from '#bench/harness/statistics.ts'
import type { World } from '#bench/harness/world.ts'

const bareServer = join(import.meta.dirname, '..', 'servers', 'bare-server.ts')
const listPath = '/exports'
const row = '[data-index]'
const sizes = [50, 10_000] as const
/** The other pages are fetched ahead 8 s after the first one. */
const aheadMs = 10_000

const loadOnce = async (browser: Browser, url: string, selector: string) => {
  const { page, close } = await freshPage(browser, url)
  const load = await watchLoad(page, url, selector)
  await close()
  return load
}

const firstLoad = async (browser: Browser, address: string): Promise<Line[]> => {
  const { page, close } = await freshPage(browser, address)
  const scripts: Promise<{ url: string; bytes: number }>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return
    scripts.push(response.body().then((body) => ({ url: response.url(), bytes: brotliCompressSync(body).length })))
  })
  const { rowMs } = await watchLoad(page, address + listPath, row)
  await page.waitForTimeout(aheadMs)
  const before = await page.evaluate(
    (ms) =>
      performance
        .getEntriesByType('resource')
        .filter((entry) => (entry as PerformanceResourceTiming).responseEnd <= ms)
        .map(({ name }) => name),
    rowMs,
  )
  const all = await Promise.all(scripts)
  await close()
  const sum = (scripts: typeof all) => scripts.reduce((bytes, script) => bytes + script.bytes, 0) / 1000
  const first = sum(all.filter(({ url }) => before.includes(url)))
  return [
    line('JavaScript until the list is painted, brotli: kB', digits(first), '', first, { atMost: 120 }),
    line('all JavaScript, including prefetched pages: kB', digits(sum(all)), '', sum(all)),
  ]
}

const idle = async (browser: Browser, address: string, ms: number): Promise<Line> => {
  const { page, close } = await freshPage(browser, address)
  await page.goto(address + listPath)
  await page.locator(row).first().waitFor()
  await page.waitForTimeout(aheadMs)
  const part = (await busyPart(page, ms)) * 100
  await close()
  return line('an idle page, main thread: % of the time', digits(part), '', part, { atMost: 1 })
}

const scrolling = async (browser: Browser, docket: string, cards: string, world: World): Promise<Line[]> => {
  const run = (url: string, scripts: string) => async () => {
    const { page, close } = await freshPage(browser, url)
    await page.goto(url)
    await page.locator(scripts).first().waitFor()
    await page.waitForTimeout(500)
    const scrolled = await scroll(page, { ms: world.quick ? 3_000 : 5_000, row: scripts })
    await close()
    return scrolled
  }
  const measured = await inTurns(world.quick ? 1 : 3, {
    docket: run(docket + listPath, row),
    cards: run(cards, 'article'),
  })
  const scripts = (name: 'docket' | 'cards', what: keyof (typeof measured)['docket'][number]) =>
    median(measured[name].map((one) => one[what]))
  const worst = (what: 'nodes' | 'blank' | 'waiting') => Math.max(...measured.docket.map((one) => one[what]))
  return [
    line(
      `scrolling 10,000 exports, ${digits(scripts('docket', 'distance'))} px: frames per second`,
      digits(scripts('docket', 'framesPerSecond')),
      `script-free cards ${digits(scripts('cards', 'framesPerSecond'))}`,
      scripts('docket', 'framesPerSecond') / scripts('cards', 'framesPerSecond'),
      { atLeast: 0.93 },
    ),
    line(
      'the same: elements in the page',
      String(worst('nodes')),
      `cards ${scripts('cards', 'nodes')}`,
      worst('nodes'),
      {
        atMost: 700,
      },
    ),
    line('the same: frames with a gap', String(worst('blank')), `cards ${scripts('cards', 'blank')}`, worst('blank'), {
      atMost: 0,
    }),
    line('the same: frames with a row without its content', String(worst('waiting')), '', worst('waiting')),
  ]
}

const typing = async (browser: Browser, docket: string, cards: string): Promise<Line> => {
  const run = async (url: string, item: string, field: string) => {
    const { page, close } = await freshPage(browser, url)
    await page.goto(url)
    await page.locator(item).first().waitFor()
    await page.waitForTimeout(1_000)
    await page.locator(field).first().focus()
    const paintMs = await keyToPaint(page, 'documentation')
    await close()
    return paintMs
  }
  const own = await run(docket + listPath, row, 'main input[type="search"]')
  const bare = await run(cards, 'article', 'input')
  return line(
    '10,000 exports, a key in the filter until the next frame: ms (95 % within)',
    `${digits(median(own))} (${digits(quantile(own, 0.95))})`,
    `a bare field ${digits(median(bare))} (${digits(quantile(bare, 0.95))})`,
    median(own),
    { atMost: 16 },
  )
}

/** Measures the page in a browser. */
export const page: Row = {
  name: 'page',
  title: 'The page in Chromium',
  method:
    'The list of exports from the production build, in headless Chromium with an empty profile. Paints are compared with a page of React, one fetch and cards for the same 50 records; scrolling with the wheel, with a page of 10,000 cards and no script. A key is timed until the task after the next frame, which a 60 Hz display begins up to 16.7 ms later.',
  run: async (world) => {
    const databases = await world.databases()
    const dockets = []
    for (const count of sizes)
      dockets.push(
        await world.docket(
          await databases.database((url) =>
            seedRecordsAt(url, { exports: count, jobs: 50, active: 0, now: Date.now() }),
          ),
        ),
      )
    const [few, many] = dockets.map(browserAddress) as [string, string]
    const listText = await (await ask(`${dockets[0]!.address}/api/static-exports`)).text()
    const bare = await startScript(bareServer, {
      answers: {
        ...(await bareReactPage(world.folder)),
        '/api/static-exports': { type: 'application/json', text: listText },
      },
    })
    const cards = Array.from({ length: 10_000 }, (_, n) => ({
      title: `docs-${n}.example.com`,
      text: `completed, ${n % 60} minutes ago`,
    }))
    const cardServer = await startScript(bareServer, {
      answers: { '/': { type: 'text/html; charset=utf-8', text: cardPage(cards) } },
    })
    const { browser, close } = await openBrowser()
    const loads = await inTurns(world.quick ? 3 : 9, {
      bare: () => loadOnce(browser, bare.address, 'article'),
      few: () => loadOnce(browser, few + listPath, row),
      many: () => loadOnce(browser, many + listPath, row),
    })
    const figure = (name: keyof typeof loads, what: keyof Load) => median(loads[name].map((load) => load[what]))
    const compare = (name: 'few' | 'many', what: keyof Load, label: string, bar: { atMost?: number } = {}) =>
      line(
        `${label}: ms`,
        digits(figure(name, what)),
        `bare React ${digits(figure('bare', what))}`,
        figure(name, what) / figure('bare', what),
        bar,
      )
    const paint = { atMost: 1.5 }
    const shift = figure('few', 'shift')
    const lines = [
      ...(await firstLoad(browser, few)),
      compare('few', 'firstMs', 'first contentful paint, 50 exports', paint),
      compare('few', 'largestMs', 'largest contentful paint, 50 exports', paint),
      compare('many', 'largestMs', 'largest contentful paint, 10,000 exports', paint),
      compare('few', 'rowMs', 'the first export in the page, 50 exports', { atMost: 2 }),
      line('layout shift while the page loads', digits(shift), '', shift, { atMost: 0.001 }),
      ...(await scrolling(browser, many, cardServer.address, world)),
      await typing(browser, many, cardServer.address),
      await idle(browser, few, world.quick ? 6_000 : 15_000),
    ]
    await close()
    for (const server of [...dockets, bare, cardServer]) await server.stop()
    return lines
  },
}
