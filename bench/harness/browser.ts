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

/** Milliseconds until the largest thing on screen was painted, once nothing larger has come for a while. */
export const largestPaintMs = async (page: Page): Promise<number> =>
  page.evaluate(async () => {
    let latest = NaN
    new PerformanceObserver((list) => {
      latest = list.getEntries().at(-1)?.startTime ?? latest
    }).observe({ type: 'largest-contentful-paint', buffered: true })
    await new Promise((resolve) => setTimeout(resolve, 600))
    return latest
  })

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
