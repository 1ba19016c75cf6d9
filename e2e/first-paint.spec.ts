import { expect, test } from '#e2e/support/docket.ts'

declare global {
  var preloadedReads: Map<string, unknown> | undefined
}

/** Where words stand: text, left, top, width, height. */
type Box = readonly [text: string, ...number[]]
type Shift = { value: number; moved: string[] }
type Watched = { shifts: Shift[]; readBoxes: (selector: string) => Box[]; frame: Box[] }

/** Notes layout shifts, and where the frame in the HTML has its words before the app runs. */
const watchFirstPaint = () => {
  const watched = globalThis as unknown as Watched
  watched.shifts = []
  watched.readBoxes = (selector) =>
    [...document.querySelectorAll(selector)].flatMap((part): Box[] => {
      const { x, y, width, height } = part.getBoundingClientRect()
      return width === 0 ? [] : [[part.textContent.trim(), x, y, width, height]]
    })
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries() as (PerformanceEntry & {
      value: number
      sources: { node: Node | null }[]
    })[])
      watched.shifts.push({
        value,
        moved: sources.map(({ node }) =>
          (node instanceof Element ? node.outerHTML : (node?.textContent ?? 'gone')).slice(0, 120),
        ),
      })
  }).observe({ type: 'layout-shift', buffered: true })
  document.addEventListener('DOMContentLoaded', () => {
    watched.frame = watched.readBoxes('#frame [data-within], #frame h1')
  })
}

for (const width of [1280, 360])
  test(`at ${width} px, a page shows its text where the frame in its HTML shows it, and nothing moves @story`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 800 })
    await page.addInitScript(watchFirstPaint)
    for (const path of ['/exports', '/']) {
      await page.goto(path)
      await expect(page.getByRole('button', { name: /^(New|Start) export$/ })).toBeVisible()
      await page.waitForLoadState('networkidle')
      const { frame, app, shifts } = await page.evaluate(() => {
        const { frame, readBoxes, shifts } = globalThis as unknown as Watched
        const app = readBoxes('#root nav[aria-label="Main"] a, #root h1')
        return { frame, app, shifts }
      })
      expect(frame).toHaveLength(5)
      // A link may have a number of running records behind its word.
      const withoutNumber = ([text, ...box]: Box) => [text.replace(/\d+ (running|working)$/, ''), ...box]
      expect(app.map(withoutNumber)).toEqual(frame)
      expect(shifts.filter(({ value }) => value >= 0.001)).toEqual([])
    }
  })

test('a sign-in page is first painted with a frame without navigation', async ({ page }) => {
  await page.addInitScript(watchFirstPaint)
  await page.goto('/sign-in')
  await expect(page.locator('#frame')).toHaveCount(0)
  expect(await page.evaluate(() => (globalThis as unknown as Watched).frame)).toEqual([])
})

for (const [path, ...reads] of [
  ['/exports', '/api/static-exports', '/api/static-exports/checks'],
  ['/agent-jobs', '/api/agent-jobs', '/api/agent-jobs/checks'],
  ['/', '/api/overview/sites', '/api/static-exports', '/api/agent-jobs'],
  ['/sites', '/api/overview/sites', '/api/static-exports', '/api/agent-jobs'],
] as const)
  test(`${path} asks for its data before its scripts are there, and uses the answers @story`, async ({ page }) => {
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route(/\/assets\/first-.*\.js$/, async (route) => {
      await held
      await route.continue()
    })
    const asked = ['/api/session', '/api/status', ...reads].map((read) =>
      page.waitForRequest((request) => new URL(request.url()).pathname === read),
    )
    await page.goto(path, { waitUntil: 'commit' })
    await Promise.all(asked)
    release()
    await expect(page.locator('#root').getByRole('heading', { level: 1 })).toBeVisible()
    await expect.poll(() => page.evaluate(() => [...(globalThis.preloadedReads?.keys() ?? ['none'])])).toEqual([])
  })
