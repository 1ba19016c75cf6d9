import { mkdir, rm } from 'node:fs/promises'
import type { LookupFunction } from 'node:net'
import { crawlSite, type CrawledPage } from '#mirror/crawl/crawl.ts'
import { createExtractor, type Extractor } from '#mirror/extract/extractor.ts'
import { thinLimit } from '#mirror/extract/page-facts.ts'
import { readSitemaps } from '#mirror/finding/read-sitemaps.ts'
import { readRobots } from '#mirror/finding/robots.ts'
import { createScope } from '#mirror/finding/scope.ts'
import { decodeText, isAnswer, createSiteClient, userAgent, type SiteClient } from '#mirror/http/site-client.ts'
import { openDrafts } from '#mirror/staging/draft.ts'
import { downloadMedia } from '#mirror/staging/media-files.ts'
import { writeStaging } from '#mirror/staging/write-staging.ts'
import { createMirrorBudget, mirrorLimits, type MirrorLimits } from './mirror-limits.ts'

export type MirrorOrder = {
  /** Pages below this address are read. */
  url: string
  /** Output folder; emptied first. */
  staging: string
  privateNetworks: readonly string[]
  signal?: AbortSignal
  limits?: Partial<MirrorLimits>
  lookup?: LookupFunction
}

/** Mirrored site. `folder` is an ordinary source; `leftOut` goes into the report. */
export type MirroredSite = { folder: string; pages: number; leftOut: { file: string; reason: string }[] }

/** Interval at which progress is reported even while a site is slow. */
const heartbeatMs = 10_000

/** Mirrors a documentation site. Calls `onPage` for each page, and at least every ten seconds. Rejects with a reason that the reader can act on. */
export const mirrorSite = async (
  order: MirrorOrder,
  onPage: (read: number, found: number) => Promise<void> | void,
): Promise<MirroredSite> => {
  const { url, staging, privateNetworks, lookup } = order
  const limits = { ...mirrorLimits, ...order.limits }
  await rm(staging, { recursive: true, force: true })
  await mkdir(staging, { recursive: true })
  const over = new AbortController()
  const signal = order.signal ? AbortSignal.any([order.signal, over.signal]) : over.signal
  const client = createSiteClient({ origin: new URL(url).origin, privateNetworks, lookup, limits, signal })
  const content = createExtractor(limits.extractMs)
  let [read, found] = [0, 0]
  const heartbeat = setInterval(() => void onPage(read, found), heartbeatMs)
  try {
    const { start, scope, robots } = await probeSite(url, { client, extractor: content, limits })
    const atOnce = robots.delayMs > 0 ? 1 : limits.atOnce
    const budget = createMirrorBudget(limits)
    const guesses = ['sitemap.xml', 'sitemap_index.xml'].flatMap((name) => [scope.prefix + name, `/${name}`])
    const sitemaps = [
      ...robots.sitemaps.map((text) => ({
        url: scope.origin + new URL(text).pathname + new URL(text).search,
        isGuess: false,
      })),
      ...guesses.map((path) => ({ url: scope.origin + path, isGuess: true })),
    ]
    const sitemapUrls = await readSitemaps(client, sitemaps, scope.origin, limits, budget.report)
    const origins = new Set(sitemapUrls.flatMap((text) => (URL.canParse(text) ? [new URL(text).origin] : [])))
    // A sitemap that names one other host uses the public name of the site.
    if (origins.size === 1) scope.alsoKnownAs([...origins][0]!)

    const pages = await openDrafts(staging)
    const crawled = await crawlSite(start, sitemapUrls, {
      client,
      robots,
      scope,
      limits: { ...limits, atOnce },
      extractor: content,
      drafts: pages,
      budget,
      onPage: (pagesRead, addresses) => {
        ;[read, found] = [pagesRead, addresses]
        return onPage(read, found)
      },
    })
    if ([...crawled.pages.values()].every(({ isEmpty }) => isEmpty)) {
      const why = budget.isSpent() ? budget.leftOut()[0]!.reason : 'no page of it has content without scripts'
      throw new Error(`The site at ${url} cannot be read: ${why}`)
    }
    if (isDrawnByScripts([...crawled.pages.values()]))
      throw new Error(
        `The site at ${url} cannot be read: scripts draw its pages, and a mirror runs none. It found ${describePageCount(crawled.pages.size)} with fewer than ${thinLimit} words. Use the folder or the repository of the documentation as the source instead`,
      )
    for (const { icon } of crawled.pages.values()) {
      const own = icon && scope.toOwnUrl(icon)
      if (own) crawled.media.add(own)
    }
    const media = await downloadMedia(
      crawled.media,
      { client, robots, limits: { ...limits, atOnce }, budget, staging },
      () => onPage(read, found),
    )
    const count = await writeStaging(crawled, { staging, scope, drafts: pages, media })
    await pages.remove()
    return { folder: staging, pages: count, leftOut: budget.leftOut() }
  } finally {
    clearInterval(heartbeat)
    over.abort()
    await Promise.all([client.close(), content.close()])
  }
}

const isDrawnByScripts = (pages: readonly CrawledPage[]) =>
  pages.length > 0 && pages.every(({ isThin }) => isThin) && new Set(pages.map(({ digest }) => digest)).size === 1

const describePageCount = (pages: number) => (pages === 1 ? 'one page' : `the same page ${pages} times,`)

/** Rejects with a reason that the reader can act on. */
const probeSite = async (
  url: string,
  { client, extractor, limits }: { client: SiteClient; extractor: Extractor; limits: MirrorLimits },
) => {
  const { origin } = new URL(url)
  const cannot = (why: string) => new Error(`The site at ${url} cannot be read: ${why}`)
  const robots = await readRobots(client, origin, limits)
  client.slowDown(robots.delayMs)
  if (!robots.allows(url)) throw cannot(`its robots.txt does not let “${userAgent}” read it`)
  const answer = await client.get(url, limits.pageBytes)
  if (!isAnswer(answer)) {
    if (answer.elsewhere) throw cannot(`it redirects to ${answer.elsewhere}; use that address if it is the right one`)
    throw cannot(answer.problem)
  }
  if (answer.status !== 200) throw cannot(`it answers ${answer.status}`)
  if (!/html/.test(answer.type)) throw cannot(`it is no HTML page but ${answer.type || 'of no known kind'}`)
  const extraction = await extractor.extract(decodeText(answer), answer.url)
  if ('problem' in extraction) throw cannot(extraction.problem)
  const requested = createScope(url)
  // The first page may redirect to another folder.
  const isBelow = requested.locate(answer.url)?.kind === 'page'
  const scope = isBelow ? requested : createScope(answer.url)
  const { canonical, refresh } = extraction.page
  if (refresh && new URL(refresh).origin !== origin)
    throw cannot(`it sends its readers on to ${refresh}; use that address if it is the right one`)
  if (canonical && isSamePage(canonical, answer.url)) scope.alsoKnownAs(new URL(canonical).origin)
  return { start: isBelow ? url : answer.url, scope, robots }
}

/** True when two addresses differ only in host and page suffix. */
const isSamePage = (canonical: string, url: string) => {
  const [a, b] = [new URL(canonical), new URL(url)]
  return toPlainPath(a) === toPlainPath(b)
}
const toPlainPath = ({ pathname }: URL) => pathname.replace(/(index)?(\.html?)?\/?$/, '')
