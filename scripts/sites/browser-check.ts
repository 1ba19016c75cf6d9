import { pathToFileURL } from 'node:url'
import { chromium, type Browser } from '@playwright/test'
import { findBrowser } from '#e2e/support/browser.ts'
import { launchFlags } from '#e2e/support/launch-flags.ts'
import type { Fault } from './faults.ts'
import { accessibilityFaults, widthFaults } from './look-at-page.ts'
import { readablePages } from './site-lists.ts'
import type { SiteFolder } from './site-folder.ts'
import { serveSite } from './static-host.ts'
import { lostReaderFaults, searchOnce, openPages, watchedPage } from './open-pages.ts'

/** Number of pages to open. */
export type BrowserCheck = {
  /** Pages that are opened from each of the three places. */
  pages: number
  /** Pages that are looked at in light and dark, and at 360 px; a tenth of `pages` when absent. */
  sample?: number
  /** Opens it from a web root only. */
  onlyFromRoot?: boolean
  browser?: Browser
}

/** Opened pages and their faults. */
export type BrowserResult = {
  counts: { visits: number; searches: number; requests: number; looks: number }
  faults: Fault[]
}

/** A browser that reaches this machine and nothing else. */
export const openSealedBrowser = async (): Promise<Browser> =>
  chromium.launch({
    executablePath: await findBrowser(),
    args: [...launchFlags, '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
  })

/** Opens a site from a web root, from a sub-path and from the disk, searches in it, and looks at it as people do. */
export const browserCheck = async (site: SiteFolder, options: BrowserCheck): Promise<BrowserResult> => {
  const { pages, sample = Math.max(1, Math.round(pages / 10)) } = options
  const chosen = spread(readablePages(site.files), pages)
  const browser = options.browser ?? (await openSealedBrowser())
  const root = await serveSite(site.files, '')
  const below = await serveSite(site.files, '/some/sub-path')
  const places = [
    { name: 'web root', url: root.url },
    { name: 'sub-path', url: below.url },
    { name: 'disk', url: `${pathToFileURL(site.folder).href}/` },
  ]
  const counts = { visits: 0, searches: 0, requests: 0, looks: 0 }
  const faults: Fault[] = []
  try {
    for (const { name, url } of options.onlyFromRoot === true ? places.slice(0, 1) : places) {
      const watched = await watchedPage(browser, url)
      for (const page of chosen) {
        faults.push(...(await openPages(watched, page)))
        counts.visits += 1
      }
      if (site.files.has('_docket/search/start.js')) {
        faults.push(...(await searchOnce(watched, chosen[0]!, site.files)))
        counts.searches += 1
      }
      if (name !== 'disk') faults.push(...(await lostReaderFaults(watched)))
      counts.requests += watched.requests()
      faults.push(...watched.complaints().map((fault) => ({ ...fault, page: `${fault.page} (${name})` })))
      await watched.close()
    }
    for (const page of spread(readablePages(site.files), sample)) {
      const at = root.url + page.split('/').map(encodeURIComponent).join('/')
      faults.push(...(await accessibilityFaults(browser, page, at)), ...(await widthFaults(browser, page, at)))
      counts.looks += 1
    }
  } finally {
    await Promise.all([root.close(), below.close()])
    if (options.browser === undefined) await browser.close()
  }
  return { counts, faults }
}

/** The first, the last and others between them, at even distances. */
const spread = <T>(all: readonly T[], number: number): T[] => {
  if (all.length <= number) return [...all]
  if (number < 2) return all.slice(0, number)
  return Array.from({ length: number }, (_, index) => all[Math.round((index * (all.length - 1)) / (number - 1))]!)
}
