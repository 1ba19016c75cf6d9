import { pathToFileURL } from 'node:url'
import type { Browser, Page } from '@playwright/test'
import type { SiteFolder } from '#scripts/sites/site-folder.ts'
import { serveSite } from '#scripts/sites/static-host.ts'

/** A dangerous action of a page, as a short sentence with its file. */
export type Danger = string

/** The address of a file, on the host and on a disk. */
const toAddress = (file: string) => file.split('/').map(encodeURIComponent).join('/')

/**
 * Opens every page and drawing of a site, with its own policy switched off, so that nothing but the bundle itself keeps
 * anything from running: from a host, and the first `fromDisk` also as files.
 */
export const dangersIn = async (
  browser: Browser,
  site: SiteFolder,
  fromDisk: number,
): Promise<{ visits: number; dangers: Danger[] }> => {
  const dangers: Danger[] = []
  const host = await serveSite(site.files, '')
  const context = await browser.newContext({ bypassCSP: true })
  const page = await context.newPage()
  let now = ''
  const report = (what: string) => dangers.push(`${now}: ${what}`)
  page.on('dialog', (dialog) => {
    report(`a dialog “${dialog.message()}”`)
    void dialog.dismiss().catch(() => undefined)
  })
  const disk = `${pathToFileURL(site.folder).href}/`
  page.on('request', (request) => {
    const address = request.url()
    if (![host.url, disk, 'data:'].some((place) => address.startsWith(place)))
      report(`a request to ${address.slice(0, 60)}`)
  })
  const files = [...site.files.keys()].filter((file) => /\.(html|svg)$/.test(file))
  const places = [
    ...files.map((file) => [host.url, file] as const),
    ...files.slice(0, fromDisk).map((file) => [disk, file] as const),
  ]
  try {
    for (const [place, file] of places) {
      now = file
      await page
        .goto(place + toAddress(file), { waitUntil: 'load', timeout: 60_000 })
        .catch((error: unknown) => report(`it does not open (${String(error).slice(0, 80)})`))
      for (const what of await inspect(page)) report(what)
    }
    now = 'search'
    for (const what of await searchDangers(page, host.url, site)) report(what)
  } finally {
    await context.close()
    await host.close()
  }
  return { visits: places.length, dangers }
}

/** Pages of old addresses lead on while they are looked at; then it is the next one, however slow the machine. */
const inspect = (page: Page, tries = 100): Promise<string[]> =>
  lookAt(page).catch(async (error: unknown) => {
    if (tries === 0) throw error
    await page.waitForTimeout(100)
    await page.waitForLoadState('load')
    return inspect(page, tries - 1)
  })

/** Everything in a page that ran, or would with a click or a movement. */
const lookAt = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = []
    if ('ran' in window) found.push('something ran')
    // The page for wrong addresses holds its own script in its head, whatever words a source gives it.
    const isNotFound = document.querySelector('article') === null && document.querySelector('main.alone') !== null
    const isOwnScript = (element: Element) => isNotFound && element.parentElement === document.head
    for (const element of document.querySelectorAll('*')) {
      const name = element.localName
      if (/^(iframe|frame|object|embed|form|base|math|foreignobject|template|marquee)$/i.test(name))
        found.push(`<${name}>`)
      if (
        name === 'meta' &&
        /refresh/i.test(element.getAttribute('http-equiv') ?? '') &&
        !/^0; url=(?![a-z]+:|\/\/)/i.test(element.getAttribute('content') ?? '')
      )
        found.push('it leads away by itself')
      if (
        name === 'script' &&
        !isOwnScript(element) &&
        !/_docket\/(?:[\w-]+\/)*[\w-]+\.js$/.test(element.getAttribute('src') ?? '')
      )
        found.push('a script')
      for (const { name: attribute } of element.attributes)
        if (/^(on|srcdoc$|srcset$|style$|action$|formaction$|background$|poster$|ping$)/i.test(attribute))
          found.push(`${attribute} on <${name}>`)
      if (
        element instanceof HTMLAnchorElement &&
        element.hasAttribute('href') &&
        !/^(https?|mailto|tel|file):$/.test(element.protocol)
      )
        found.push(`a link with ${element.protocol}`)
      if (!isNotFound && element instanceof HTMLAnchorElement && /^file:/i.test(element.getAttribute('href') ?? ''))
        found.push('a link to this machine')
    }
    return [...new Set(found)]
  })

/**
 * Searches for words that are markup somewhere, on a page whose headings have the names of what the search is made of.
 */
const searchDangers = async (page: Page, url: string, site: SiteFolder): Promise<string[]> => {
  if (!site.files.has('_docket/search/start.js')) return ['there is no search']
  const dangers: string[] = []
  for (const word of ['hostile', '__proto__', 'onerror', '<script>']) {
    // A search keeps the words of the last one until it has found its own.
    await page.goto(`${url}index.html`, { waitUntil: 'load' })
    await page.keyboard.press('/')
    await page.getByRole('searchbox').fill(word)
    await page
      .getByRole('status')
      .filter({ hasText: /page|Nothing found|could not/ })
      .waitFor({ timeout: 30_000 })
    const statusText = await page.getByRole('status').innerText()
    if (/could not/.test(statusText) || (word === 'hostile' && !/^\d+ pages?\b/.test(statusText)))
      dangers.push(`the search says “${statusText}”`)
    dangers.push(...(await inspect(page)))
  }
  return dangers
}
