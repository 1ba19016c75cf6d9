import type { BrowserContext, Page } from '@playwright/test'
import { onEnd } from '#bench/harness/cleanup.ts'
import { startDatabaseServer } from '#bench/harness/database.ts'
import { temporaryFolder } from '#proofs/harness/docket.ts'
import { openCanary } from './canary.ts'
import { openBrowser } from '#bench/harness/browser.ts'
import type { startPreviewServer } from '#apps/bff/src/testing/preview-server.ts'
import type { Proof } from '#proofs/harness/proof.ts'
import { plant, type Fault } from '#proofs/harness/plant.ts'
import { siteInMemory } from '#packages/site-bundle/src/testing/site-in-memory.ts'
import { payloads, type Targets } from './payloads.ts'

const names = Object.keys(payloads)
/** Different violations that the pages cause at least, by their number. */
const countEnough = (pages: number) => Math.floor(pages * 0.4)
/** Longest wait for a page to load. Milliseconds. */
const loadMs = 20_000
/** Time for everything that a page may begin after it has loaded. Milliseconds. */
const settleMs = 700

const fault: Fault = {
  file: 'releases/previews/serve-previews.ts',
  instead: '`default-src ${own} ',
  write: '`default-src * ${own} ',
}

/** Sandbox flags of the frame in the web app. */
const sandbox = { own_host: 'allow-scripts allow-forms allow-same-origin', sandbox: 'allow-scripts allow-forms' }

const addFrame = (page: Page, src: string, flags: string) =>
  page.evaluate(
    ([address, sandboxed, maxMs]) => {
      const frame = document.createElement('iframe')
      frame.setAttribute('sandbox', sandboxed)
      frame.setAttribute('credentialless', '')
      frame.referrerPolicy = 'no-referrer'
      frame.src = address
      document.body.append(frame)
      return new Promise<void>((resolve) => {
        frame.addEventListener('load', () => resolve(), { once: true })
        setTimeout(resolve, maxMs)
      })
    },
    [src, flags, loadMs] as const,
  )
const removeFrames = (page: Page) =>
  page.evaluate(() => document.querySelectorAll('iframe').forEach((one) => one.remove()))

/** Watches what a context does besides showing its page. */
const watchContext = (context: BrowserContext, page: Page) => {
  const seen: string[] = []
  context.on('page', () => seen.push('a new window'))
  page.on('dialog', (dialog) => {
    seen.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('download', () => seen.push('a download'))
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) seen.push(`the top window went to ${frame.url()}`)
  })
  return seen
}

const toName = (text: string) => names[Number(/n(\d+)n/.exec(text)?.[1] ?? -1)] ?? 'unknown'

type Server = Awaited<ReturnType<typeof startPreviewServer>>

/** Opens the payloads with these numbers in frames of one page of Docket, all at once. */
const playIn = async (context: BrowserContext, server: Server, numbers: readonly number[]) => {
  const page = await context.newPage()
  await page.goto(`${server.url}/before`)
  await page.goto(server.url)
  const seen = watchContext(context, page)
  const preview = await server.open()
  await addFrame(page, preview.url, sandbox[preview.isolation])
  const home = page.frames().find((frame) => frame !== page.mainFrame())
  const shown = await home?.evaluate(() => document.body.innerText + (globalThis as { ran?: number }).ran)
  const wrong: string[] = shown === 'Home1' ? [] : [`the preview showed ${shown}`]
  await removeFrames(page)
  const sources = numbers.map((number) => `${preview.base}/p${number}.html`)
  await Promise.all(sources.map((src) => addFrame(page, src, sandbox[preview.isolation])))
  await page.waitForTimeout(settleMs)
  await removeFrames(page)
  // Browsers send reports after the requests that they are about.
  const enough = countEnough(numbers.length)
  for (let tries = 0; tries < 600 && (await server.violations()).length < enough; tries += 1)
    await page.waitForTimeout(100)
  const { heard, title } = await page.evaluate(() => ({
    heard: (globalThis as unknown as { heard: unknown[] }).heard,
    title: document.title + window.name + Object.keys(localStorage).join(),
  }))
  const cookies = await context.cookies(server.url)
  const cookiesRead = heard.filter(
    (text) => typeof text === 'string' && text.startsWith('cookie ') && text.includes('secret'),
  )
  const api = server.asked.filter(({ path }) => !['/', '/before', '/page.js', '/favicon.ico'].includes(path))
  wrong.push(
    ...api.map(({ path }) => `${toName(path)} asked Docket for ${path}`),
    ...seen,
    ...(title === 'Docket' ? [] : [`the page of Docket became ${title}`]),
    ...(page.url() === `${server.url}/` ? [] : [`the top window is at ${page.url()}`]),
    ...(cookies.length === 1 && cookies[0]!.value === 'secret'
      ? []
      : [`cookies: ${cookies.map(({ name, domain }) => `${name}@${domain}`).join()}`]),
    ...cookiesRead.map(() => 'a cookie was read'),
    ...server.asked
      .filter(({ cookie = '' }) => cookie !== '' && cookie !== 'docket=secret')
      .map(({ cookie }) => `Docket got ${cookie}`),
  )
  const read = async (src: string) => {
    await removeFrames(page)
    await addFrame(page, src, sandbox[preview.isolation])
    const [, frame] = page.frames()
    return frame?.evaluate(() => document.body.innerText)
  }
  if (!(await read(preview.url))?.includes('works once')) wrong.push('the ticket worked twice')
  await server.endSession()
  if (!(await read(`${preview.base}/`))?.includes('has ended')) wrong.push('it outlived its session')
  const violations = (await server.violations()).length
  if (violations < enough) wrong.push(`${violations} violations were reported, not ${enough}`)
  return { wrong, violations }
}

/** Opens hostile pages in a real browser, at hostnames of their own and in the sandbox. */
export const proof: Proof = {
  name: 'hostile-previews',
  bar: `of ${names.length} hostile pages at a hostname of their own and in the sandbox, none reads or plants a cookie of Docket, sends a request elsewhere, calls its API, opens a window or dialog, or moves the top window; tickets work once and end with their session`,
  fault,
  run: async ({ planted, quick }) => {
    if (planted) plant([fault])
    const { startPreviewServer: openServer } = await import('#apps/bff/src/testing/preview-server.ts')
    const databases = await startDatabaseServer(temporaryFolder())
    const canary = await openCanary()
    const { browser, close } = await openBrowser()
    const play = async (ownName: string | null, numbers: readonly number[]) => {
      const url = { docket: '' }
      const server = await openServer(
        await databases.database(),
        (own) => {
          const targets: Targets = {
            docket: url.docket,
            canary: `http://127.0.0.1:${canary.port}`,
            canaryPort: canary.port,
            udpPort: canary.udpPort,
            own,
            ownHost: new URL(own).host,
          }
          const pages = names.map((name, at) => [
            `p${at}.html`,
            `<!doctype html><title>x</title>${payloads[name]!(targets, `n${at}n`)}`,
          ])
          return siteInMemory({
            'index.html': '<!doctype html><body>Home<script type="module" src="app.js"></script>',
            'app.js': 'globalThis.ran = 1',
            'sw.js': 'onfetch = () => {}',
            'app.bin': Buffer.alloc(64),
            ...Object.fromEntries(pages),
          })
        },
        ownName,
      )
      onEnd(server.close)
      url.docket = server.url
      const context = await browser.newContext()
      const result = await playIn(context, server, numbers)
      await context.close()
      return result
    }
    const all = names.map((_, number) => number)
    // The short form opens every page in one of the two ways.
    const select = (rest: number) => (quick ? all.filter((number) => number % 2 === rest) : all)
    const results = await Promise.all([play('docket-0123456789ab.localhost', select(0)), play(null, select(1))])
    await close()
    const wrong = [
      ...canary.reached.map((line) => `${toName(line)} reached the canary: ${line}`),
      ...results.flatMap((result) => result.wrong),
    ]
    const violations = results.map((result) => result.violations)
    for (const line of new Set(wrong)) console.log(`  ${line}`)
    return {
      ok: wrong.length === 0,
      figure: `${names.length} pages, ${quick ? 'in turns' : 'twice'}: ${wrong.length} harms; ${violations.join(' and ')} violations were reported`,
    }
  },
}
