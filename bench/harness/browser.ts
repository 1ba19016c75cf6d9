import { chromium, type Browser, type Page } from '@playwright/test'
import { findBrowser } from '#e2e/support/browser.ts'
import { launchFlags } from '#e2e/support/launch-flags.ts'
import { onEnd } from './cleanup.ts'
import { cookieFor } from './sessions.ts'

/** A Chromium for a row, and its version. `close` ends it. */
export const openBrowser = async (): Promise<{ browser: Browser; close: () => Promise<void> }> => {
  const browser = await chromium.launch({
    executablePath: await findBrowser(),
    args: launchFlags,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  })
  return { browser, close: onEnd(() => browser.close()) }
}

/** A page of its own profile, with an empty cache, in a window of 1280 × 800, signed in to the server at `url`. */
export const freshPage = async (browser: Browser, url: string): Promise<{ page: Page; close: () => Promise<void> }> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' })
  const [name = '', value = ''] = (cookieFor(url)['cookie'] ?? '').split('=', 2)
  if (name !== '') await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Strict' }])
  return { page: await context.newPage(), close: () => context.close() }
}

/** What a browser tells about the load of a page. Times are milliseconds since the navigation. */
export type Load = { firstMs: number; largestMs: number; rowMs: number; shift: number }

/** Loads `url`, and waits until the first element that `row` selects is there and nothing larger is painted any more. */
export const watchLoad = async (page: Page, url: string, row: string): Promise<Load> => {
  await page.addInitScript((selector) => {
    const load = { firstMs: NaN, largestMs: NaN, rowMs: NaN, shift: 0 }
    Object.assign(globalThis, { benchLoad: load })
    const watch = (type: string, note: (entry: PerformanceEntry) => void) =>
      new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true })
    watch('paint', ({ name, startTime }) => {
      if (name === 'first-contentful-paint') load.firstMs = startTime
    })
    watch('largest-contentful-paint', ({ startTime }) => (load.largestMs = startTime))
    watch('layout-shift', (entry) => (load.shift += (entry as PerformanceEntry & { value: number }).value))
    new MutationObserver((_, observer) => {
      if (document.querySelector(selector) === null) return
      load.rowMs = performance.now()
      observer.disconnect()
    }).observe(document, { childList: true, subtree: true })
  }, row)
  await page.goto(url)
  await page.locator(row).first().waitFor()
  await page.waitForTimeout(600)
  return page.evaluate(() => (globalThis as unknown as { benchLoad: Load }).benchLoad)
}

/** Part of the time the main thread of a page is busy while nobody touches it, 0 to 1. */
export const busyPart = async (page: Page, ms: number): Promise<number> => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable')
  const busy = async () =>
    (await devtools.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN
  const before = await busy()
  await page.waitForTimeout(ms)
  const part = ((await busy()) - before) / (ms / 1000)
  await devtools.detach()
  return part
}

/** Figures of scrolling a page. */
export type Scrolled = {
  framesPerSecond: number
  /** Most elements the page had at once. */
  nodes: number
  /** Frames in which there was no row where rows should be; and in which one was there without its content yet. */
  blank: number
  waiting: number
  /** How far it got. Pixels. */
  distance: number
}

/** Turns the wheel for so long, and looks at every frame. `row` selects what rows are. */
export const scroll = async (page: Page, { ms, row }: { ms: number; row: string }): Promise<Scrolled> => {
  await page.mouse.move(640, 500)
  const watching = page.evaluate(
    ({ ms: forMs, row: selector }) =>
      new Promise<Scrolled>((resolve) => {
        const figures = { framesPerSecond: 0, nodes: 0, blank: 0, waiting: 0, distance: 0 }
        let frames = 0
        const startMs = performance.now()
        const look = () => {
          frames += 1
          if (frames % 10 === 0) figures.nodes = Math.max(figures.nodes, document.getElementsByTagName('*').length)
          const found = [350, 600].map((y) => document.elementFromPoint(640, y)?.closest(selector) ?? null)
          // The form stands above the list.
          if (scrollY > 900) {
            if (found.includes(null)) figures.blank += 1
            else if (found.some((one) => (one?.textContent ?? '').trim() === '')) figures.waiting += 1
          }
          const took = performance.now() - startMs
          if (took < forMs) return requestAnimationFrame(look)
          resolve({ ...figures, framesPerSecond: frames / (took / 1000), distance: scrollY })
        }
        requestAnimationFrame(look)
      }),
    { ms, row },
  )
  let done = false
  void watching.finally(() => (done = true)).catch(() => {})
  while (!done) {
    await page.mouse.wheel(0, 120)
    await new Promise((resolve) => setTimeout(resolve, 16))
  }
  return watching
}

/** Milliseconds from a key to the frame after it, for each letter typed into what has the focus. */
export const keyToPaint = async (page: Page, text: string): Promise<number[]> => {
  await page.evaluate(() => {
    const times: number[] = []
    Object.assign(globalThis, { benchKeys: times })
    addEventListener(
      'keydown',
      (event) => {
        requestAnimationFrame(() => {
          const painted = new MessageChannel()
          painted.port1.onmessage = () => void times.push(performance.now() - event.timeStamp)
          painted.port2.postMessage(null)
        })
      },
      { capture: true },
    )
  })
  for (const letter of text) {
    await page.keyboard.press(letter)
    await page.waitForTimeout(120)
  }
  return page.evaluate(() => (globalThis as unknown as { benchKeys: number[] }).benchKeys)
}
