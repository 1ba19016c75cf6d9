import type { Browser, Page, Request } from '@playwright/test'
import type { Fault } from './faults.ts'

/** A browser tab on a site, and everything it complained about. Ask for complaints once, before `close`. */
export type WatchedPage = {
  page: Page
  /** Where the site begins, with a slash at the end. */
  url: string
  /** The page that is being visited, for complaints. */
  at: (name: string) => void
  complaints: () => Fault[]
  requests: () => number
  /** When nothing is being loaded any more; leaving earlier would look like a request that failed. */
  settled: () => Promise<void>
  close: () => Promise<void>
}

/** Opens a tab that writes down foreign and failed requests and everything in the console. */
export const watchedPage = async (browser: Browser, url: string): Promise<WatchedPage> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' })
  const page = await context.newPage()
  const faults: Fault[] = []
  let [now, requests] = ['', 0]
  const pending = new Set<Request>()
  const complain = (kind: Fault['kind'], what: string) => faults.push({ page: now, kind, what })
  const isForeign = (address: string) => !address.startsWith(url) && !address.startsWith('data:')
  await context.route(
    (address) => isForeign(address.href),
    (route) => route.abort(),
  )
  page.on('request', (request) => {
    requests += 1
    pending.add(request)
    const address = request.url()
    if (isForeign(address)) complain('third-party', address)
  })
  page.on('requestfinished', (request) => pending.delete(request))
  page.on('requestfailed', (request) => pending.delete(request))
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? ''
    // Icons are loaded when the page has long been there, and left when the reader leaves.
    if (request.resourceType() === 'other' && reason === 'net::ERR_ABORTED') return
    complain('request', `${request.resourceType()} ${request.url()} ${reason}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) complain('request', `${response.url()} ${response.status()}`)
  })
  page.on('console', (message) => {
    if (message.type() === 'error') complain('console', `${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => complain('console', error.message))
  return {
    page,
    url,
    at: (name) => (now = name),
    complaints: () => faults,
    requests: () => requests,
    settled: async () => {
      for (let round = 0; pending.size > 0 && round < 200; round++) await page.waitForTimeout(25)
    },
    close: () => context.close(),
  }
}

const toAddress = (file: string) => file.split('/').map(encodeURIComponent).join('/')

/** Opens a page and looks whether it shows its content in the look of its style sheet. */
export const openPages = async ({ page, url, at, settled }: WatchedPage, file: string): Promise<Fault[]> => {
  at(file)
  await page.goto(url + toAddress(file), { waitUntil: 'load' })
  await settled()
  return checkLooks(page, file)
}

const checkLooks = async (page: Page, file: string): Promise<Fault[]> => {
  const { words, isStyled } = await page.evaluate(() => ({
    words: (document.querySelector('main')?.innerText ?? '').trim().length,
    // A browser has none of these by itself.
    isStyled:
      getComputedStyle(document.documentElement).getPropertyValue('--surface') !== '' &&
      getComputedStyle(document.querySelector('.top') ?? document.body).position === 'sticky' &&
      getComputedStyle(document.body).marginTop === '0px',
  }))
  return [
    ...(words === 0 ? [{ page: file, kind: 'content' as const, what: 'nothing in the main part' }] : []),
    ...(isStyled ? [] : [{ page: file, kind: 'style' as const, what: 'none of its style sheet applies' }]),
  ]
}

/** Searches for a word of the title of some page with the keyboard alone, and opens the first hit. */
export const searchOnce = async (
  { page, url, at, settled }: WatchedPage,
  from: string,
  files: ReadonlyMap<string, Buffer>,
): Promise<Fault[]> => {
  at(`${from} (search)`)
  const fault = (what: string): Fault[] => [{ page: from, kind: 'search', what }]
  await page.goto(url + toAddress(from), { waitUntil: 'load' })
  const word = /\p{L}{4,}/u.exec((await page.locator('h1').first().innerText()) ?? '')?.[0] ?? 'the'
  await page.keyboard.press('/')
  await page.getByRole('searchbox').fill(word)
  const hit = page.locator('.search-results a').first()
  const end = hit.or(page.getByText(/^Nothing found|could not be loaded/)).first()
  await end.waitFor({ timeout: 20_000 }).catch(() => {})
  if (!(await hit.isVisible())) return fault(`“${word}” finds nothing`)
  const dialog = page.getByRole('dialog', { name: 'Search' })
  await page.keyboard.press('Escape')
  if (await dialog.isVisible()) return fault('Escape leaves the search open')
  await page.keyboard.press('Control+k')
  if (!(await hit.isVisible())) return fault('Ctrl+K does not open the search as it was')
  await page.keyboard.press('ArrowDown')
  const target = await hit.getAttribute('href')
  await Promise.all([page.waitForEvent('load', { timeout: 20_000 }), page.keyboard.press('Enter')])
  await settled()
  const opened = decodeURIComponent(
    page
      .url()
      .slice(url.length)
      .replace(/[?#].*$/, ''),
  )
  return files.has(opened) ? checkLooks(page, opened) : fault(`“${word}” opens ${target ?? 'nothing'}`)
}

/** Follows a wrong address deep in the site: its page must be as readable as any other. */
export const lostReaderFaults = async ({ page, url, at, complaints, settled }: WatchedPage): Promise<Fault[]> => {
  at('404.html')
  const before = complaints().length
  const address = `${url}no/such/page`
  await page.goto(address, { waitUntil: 'load' })
  await settled()
  // The answer for that address is a 404, as it should be; anything else that fails is a fault.
  const expected = complaints().splice(before)
  complaints().push(...expected.filter(({ kind, what }) => kind !== 'console' && what !== `${address} 404`))
  return checkLooks(page, '404.html')
}
