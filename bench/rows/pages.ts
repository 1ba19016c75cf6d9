import { randomUUID } from 'node:crypto'
import type { Browser, Locator, Page, Response } from '@playwright/test'
import { onEnd } from '#bench/harness/cleanup.ts'
import { freshPage, openBrowser } from '#bench/harness/browser.ts'
import { digits, line, type Line, type Row } from '#bench/harness/row.ts'
import { signIn } from '#bench/harness/sessions.ts'
import { callApi } from '#e2e/support/api.ts'
import { openBusyDocket, publishedDomain } from '#bench/harness/busy-docket.ts'

type Busy = Awaited<ReturnType<typeof openBusyDocket>>

const wide = { width: 1440, height: 900 }
const narrow = { width: 360, height: 780 }
const row = 'main [data-index]'
/** What somebody can press, type in or follow. */
const control = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]'

/** Runs `look` on a page of its own, once its first `ready` is there and nothing is loaded any more. */
const lookAt = async <T>(
  browser: Browser,
  { docket }: Busy,
  { path, size = wide, ready = row }: { path: string; size?: typeof wide; ready?: string },
  look: (page: Page) => Promise<T>,
): Promise<T> => {
  const { page, close } = await freshPage(browser, docket.url)
  await page.setViewportSize(size)
  await page.goto(docket.url + path)
  await page.locator(ready).first().waitFor()
  // The page prefetches and measures rows before it rests.
  await page.waitForTimeout(2_000)
  const seen = await look(page)
  await close()
  return seen
}

/** Counts visible controls in what `within` selects; not those in `without`, nor those that come after `before`. */
const countControls = (page: Page, within: string, { without = '', before = '' } = {}): Promise<number> =>
  page.evaluate(
    ({ control: all, within: scope, without: not, before: end }) => {
      const last = end === '' ? null : document.querySelector(end)
      const shown = [...document.querySelectorAll<HTMLElement>(scope)]
        .flatMap((part) => [...part.querySelectorAll<HTMLElement>(all)])
        .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length > 0)
        .filter((one) => not === '' || one.closest(not) === null)
        .filter((one) => last === null || last.compareDocumentPosition(one) === Node.DOCUMENT_POSITION_PRECEDING)
      return new Set(shown).size
    },
    { control, within, without, before },
  )

/** Rows that are on the screen from edge to edge, with nothing over them. */
const countRows = (page: Page): Promise<number> =>
  page.evaluate((selector) => {
    const uncovered = (one: Element) => {
      const { left, right, top, bottom } = one.getBoundingClientRect()
      const middle = (left + right) / 2
      return [top + 2, bottom - 2].every(
        (y) => y >= 0 && y < innerHeight && document.elementFromPoint(middle, y)?.closest(selector) === one,
      )
    }
    return [...document.querySelectorAll(selector)].filter(uncovered).length
  }, row)

/** Presses Tab until the focus is on a button or a download of the first row. */
const countTabStops = async (page: Page): Promise<number> => {
  for (let stops = 1; stops <= 100; stops += 1) {
    await page.keyboard.press('Tab')
    const isThere = await page.evaluate((selector) => {
      const focused = document.activeElement
      const isAction = focused?.matches('button, a[download], a[href*="/bundle"], a[href*="/download"]') === true
      return isAction && focused.closest(selector) === document.querySelector(selector)
    }, row)
    if (isThere) return stops
  }
  throw new Error('100 Tab stops lead to no action of the first row')
}

type Step = (page: Page) => Locator
const clickable = (page: Page, name: RegExp, within: Page | Locator = page) =>
  within
    .getByRole('button', { name })
    .or(within.getByRole('link', { name }))
    .or(within.getByRole('menuitem', { name }))
    .first()
const press =
  (name: RegExp): Step =>
  (page) =>
    clickable(page, name, page.locator('main'))
const pressInDialog =
  (name: RegExp): Step =>
  (page) =>
    clickable(page, name, page.locator('dialog[open], [role=dialog], [role=menu], [popover]:popover-open').last())
const pressInRow =
  (name: RegExp): Step =>
  (page) =>
    clickable(page, name, page.locator('main :is([data-index], li, [role=row])').filter({ hasText: publishedDomain }))
const openMenu = press(/^More for /)
const openRowMenu = pressInRow(/^More for /)
const sites: Step = (page) => page.getByRole('link', { name: 'Sites', exact: true })
const site: Step = (page) => page.locator('main').getByRole('link', { name: publishedDomain, exact: true }).first()
const publish = press(/^Publish/)
const compare = press(/^Compare/)
const confirmPublish = pressInDialog(/^Publish/)
const confirmRollBack = pressInDialog(/^Roll back/)
const replacement = 'adm_another-key-of-the-service'

/**
 * Ways to the same end, the shortest first. The first one whose every step is there counts. In this order: only what is
 * published can be rolled back, and afterwards there is something newer again.
 */
const journeys: readonly { what: string; bar: number; ways: readonly (readonly Step[])[] }[] = [
  {
    what: 'publish the newest export',
    bar: 2,
    ways: [
      [pressInRow(/^Publish/), confirmPublish],
      [site, publish, confirmPublish],
      [sites, site, publish, confirmPublish],
    ],
  },
  {
    what: 'roll back',
    bar: 3,
    ways: [
      [openRowMenu, confirmRollBack, confirmRollBack],
      [site, press(/^Roll back/), confirmRollBack],
      [site, openMenu, confirmRollBack, confirmRollBack],
      [sites, site, press(/^Roll back/), confirmRollBack],
    ],
  },
  {
    what: 'see what changed, then publish',
    bar: 3,
    ways: [
      [pressInRow(/changed|Compare/), publish, confirmPublish],
      [site, compare, publish, confirmPublish],
      [sites, site, compare, publish, confirmPublish],
    ],
  },
]

/** Each journey ends with a new release. */
const isRelease = (response: Response): boolean =>
  response.request().method() === 'POST' && /\/(releases|rollback)$/.test(response.url()) && response.ok()

const play = async (page: Page, ways: readonly (readonly Step[])[]): Promise<number> => {
  const start = page.url()
  for (const way of ways) {
    await page.goto(start)
    await page.locator(`main :is(a, button)`).first().waitFor()
    try {
      for (const step of way.slice(0, -1)) await step(page).click({ timeout: 10_000 })
      const released = page.waitForResponse(isRelease, { timeout: 30_000 })
      await Promise.all([released, way.at(-1)!(page).click({ timeout: 10_000 })])
      return way.length
    } catch {
      // The next way.
    }
  }
  throw new Error('no way leads there')
}

const countClicks = async (browser: Browser, busy: Busy): Promise<Line[]> => {
  const lines: Line[] = []
  for (const { what, bar, ways } of journeys) {
    const clicks = await lookAt(browser, busy, { path: '/', ready: 'main a' }, (page) => play(page, ways)).catch(
      () => Infinity,
    )
    lines.push(line(`clicks: ${what}`, digits(clicks), '', clicks, { atMost: bar }))
  }
  return lines
}

const replaceKey = (browser: Browser, busy: Busy): Promise<number> =>
  lookAt(browser, busy, { path: '/settings/connections', ready: 'main h1' }, async (page) => {
    const { docket, service, connectionId } = busy
    service.changeKey(replacement)
    // Docket learns from a call that its key is rejected.
    const body = { requestId: randomUUID(), connectionId, domain: publishedDomain }
    await callApi(docket, '/api/static-exports', { body }).catch(() => {})
    await page.reload()
    const replace = clickable(page, /^Replace key/)
    const menu = page.locator('main').getByRole('button', { name: 'More for Acme' })
    await replace.or(menu).first().waitFor({ timeout: 60_000 })
    await replace.waitFor({ timeout: 60_000 }).catch(() => {})
    const isShort = await replace.isVisible()
    if (isShort) await replace.click()
    else {
      await menu.click()
      await page.getByRole('menuitem', { name: /^Edit/ }).click()
    }
    const dialog = page.locator('dialog[open], [role=dialog]').last()
    await dialog.getByLabel(/key/i).first().fill(replacement)
    await dialog
      .getByRole('button', { name: /^(Save|Replace)/ })
      .first()
      .click()
    await dialog.waitFor({ state: 'hidden' })
    return isShort ? 2 : 4
  })

/** Layout shifts while the server dies under an open list and comes back. */
const shiftOfOutage = (browser: Browser, busy: Busy): Promise<number> =>
  lookAt(browser, busy, { path: '/exports' }, async (page) => {
    await page.evaluate(() => {
      const seen = { shift: 0 }
      Object.assign(globalThis, { benchOutage: seen })
      new PerformanceObserver((list) =>
        list.getEntries().forEach((entry) => (seen.shift += (entry as PerformanceEntry & { value: number }).value)),
      ).observe({ type: 'layout-shift' })
    })
    const banner = page.getByText('Docket isn’t responding').first()
    await busy.docket.kill9()
    await banner.waitFor({ timeout: 120_000 })
    await page.waitForTimeout(1_000)
    await busy.docket.start()
    await banner.waitFor({ state: 'hidden', timeout: 120_000 })
    await page.waitForTimeout(2_000)
    return page.evaluate(() => (globalThis as unknown as { benchOutage: { shift: number } }).benchOutage.shift)
  })

/** How much a page shows at rest, and how far its tasks are. */
export const pages: Row = {
  name: 'pages',
  title: 'What pages show at rest',
  method:
    'A Docket with 300 exports of 20 sites, 300 agent jobs and two connections, in headless Chromium at 1440 × 900 and 360 × 780. Controls are what is visible and can be pressed, typed in or followed. Rows count when the whole row is on the screen. Clicks are counted by playing the shortest way that works. The server is killed and started again below an open list for the layout shift.',
  run: async () => {
    const busy = await openBusyDocket({ exports: 298, jobs: 300 })
    const end = onEnd(busy.close)
    signIn(busy.docket.url, await busy.docket.adminCookie())
    const { browser, close } = await openBrowser()
    const look = <T>(at: Parameters<typeof lookAt>[2], count: (page: Page) => Promise<T>) =>
      lookAt(browser, busy, at, count)
    const list = { path: '/exports' }
    const lines: Line[] = []
    const add = (what: string, figure: number, atMost: number) =>
      lines.push(line(what, String(Math.round(figure * 1000) / 1000), '', figure, { atMost }))
    const addRows = (what: string, figure: number, atLeast: number) =>
      lines.push(line(what, String(figure), '', figure, { atLeast }))

    const navigation = 'nav[aria-label="Main"]'
    add('entries in the navigation', await look(list, (page) => countControls(page, navigation)), 4)
    add(
      'things in the sidebar',
      await look(list, (page) => countControls(page, `:has(> ${navigation}), :has(> div > ${navigation})`)),
      8,
    )
    add("Tab stops before the first row's action", await look(list, countTabStops), 12)
    add('controls before the first row', await look(list, (page) => countControls(page, 'main', { before: row })), 6)
    addRows('rows on the first screen, 1440 × 900', await look(list, countRows), 11)
    addRows('rows on the first screen, 360 × 780', await look({ ...list, size: narrow }, countRows), 5)
    const measureHeight = (page: Page) => page.evaluate(() => document.documentElement.scrollHeight)
    add('height of the home page at 1440: px', await look({ path: '/', ready: 'main a' }, measureHeight), 1_800)
    const ofExport = { path: `/exports/${busy.exportId}`, ready: 'main h1' }
    const atRest = await look(ofExport, (page) => countControls(page, 'main', { without: 'main nav, [role=tablist]' }))
    add('controls on the page of a completed export, without its tabs', atRest, 14)
    const inputs = await look({ path: '/settings/connections', ready: 'main h1' }, async (page) => {
      await clickable(page, /^(\+ )?Add a connection/, page.locator('main')).click()
      await page.locator('dialog[open] input, [role=dialog] input').first().waitFor()
      return page.locator(':is(dialog[open], [role=dialog]) :is(input, select, textarea):visible').count()
    })
    add('inputs of “Add a connection”', inputs, 3)
    lines.push(...(await countClicks(browser, busy)))
    add('layout shift over a server’s death and return', await shiftOfOutage(browser, busy), 0.02)
    add('clicks: replace a rejected key', await replaceKey(browser, busy), 2)
    await close()
    await end()
    return lines
  },
}
