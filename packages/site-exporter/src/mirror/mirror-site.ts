import { mkdir, rm, writeFile } from 'node:fs/promises'
import type { LookupFunction } from 'node:net'
import { dirname, join } from 'node:path'
import { crawlFiles } from '#mirror/crawl/crawl-files.ts'
import {
  crawlSite,
  toAddress,
  type CrawlDeps,
  type Crawled,
  type CrawledPage,
  type MissingPage,
} from '#mirror/crawl/crawl.ts'
import { isSignIn, readPage, thinLimit } from '#mirror/finding/read-page.ts'
import { readSitemaps } from '#mirror/finding/read-sitemaps.ts'
import { readRobots, type Robots } from '#mirror/finding/robots.ts'
import { createScope, type Scope } from '#mirror/finding/scope.ts'
import { decodeText, isAnswer, createSiteClient, userAgent, type SiteClient } from '#mirror/http/site-client.ts'
import { openDrafts, type Drafts } from '#mirror/staging/drafts.ts'
import { createFileNames } from '#mirror/staging/file-names.ts'
import { escapeAttribute } from '#site/data.ts'
import { createMirrorBudget, mirrorLimits, type MirrorBudget, type MirrorLimits } from './mirror-limits.ts'

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

/** A site as its server sent it, in `folder`. `leftOut` goes into the report. */
export type MirroredSite = {
  folder: string
  pages: number
  /** Common path of all pages, such as `/docs/`. */
  mount: string
  /** Origins by which pages name the site. */
  origins: string[]
  /** Files by path and query from the root of the host. The first address of a file is its own; redirecting ones lead to the file of their target. */
  addresses: ReadonlyMap<string, string>
  leftOut: { file: string; reason: string }[]
}

/** Interval at which progress is reported even while a site is slow. */
const heartbeatMs = 10_000

/** Reads a live site as it is, page by page and file by file. Calls `onPage` for each, and at least every ten seconds. Rejects with a reason that the reader can act on. */
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
  let [read, found] = [0, 0]
  const heartbeat = setInterval(() => void onPage(read, found), heartbeatMs)
  try {
    const { start, scope, robots, sitemaps } = await probeSite(url, client, limits)
    const budget = createMirrorBudget(limits)
    const listed = await readListedPages({ client, robots, scope, limits, budget }, sitemaps)
    const drafts = await openDrafts(staging)
    const deps: CrawlDeps = {
      client,
      robots,
      scope,
      limits: { ...limits, atOnce: robots.delayMs > 0 ? 1 : limits.atOnce },
      drafts,
      budget,
      missingPage: await readMissingPage(client, robots, scope, limits),
      onPage: (pagesRead, addresses) => {
        ;[read, found] = [pagesRead, Math.max(found, addresses)]
        return onPage(read, found)
      },
    }
    const crawled = await crawlSite(start, listed, deps)
    judgePages(url, crawled, limits, budget)
    // Hosts of static sites have the page for missing addresses as a file.
    if (deps.missingPage === null && !crawled.pages.has('404'))
      crawled.files.set(`${scope.origin}${scope.prefix}404.html`, { isOptional: true, mayBePage: true })
    const moved = await crawlFiles(crawled.files, deps, crawled.pages.size)
    const addresses = await writeStaging(crawled, moved, { staging, scope, drafts })
    await drafts.remove()
    return {
      folder: staging,
      mount: scope.prefix,
      origins: [...scope.origins],
      addresses,
      leftOut: budget.leftOut(),
      pages: crawled.pages.size,
    }
  } finally {
    clearInterval(heartbeat)
    over.abort()
    await client.close()
  }
}

/** Rejects with a reason that the reader can act on. */
const probeSite = async (url: string, client: SiteClient, limits: MirrorLimits) => {
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
  const page = readPage(decodeText(answer), answer.url)
  const requested = createScope(url)
  // The first page may redirect to another folder.
  const isBelow = requested.locate(answer.url)?.kind === 'page'
  const scope = isBelow ? requested : createScope(answer.url)
  if (isSignIn(page, answer)) throw cannot('it leads to a page to sign in, and a mirror has no password')
  page.origins.forEach(scope.alsoKnownAs)
  if (page.refresh !== null && scope.toOwnUrl(page.refresh) === null)
    throw cannot(`it sends its readers on to ${page.refresh}; use that address if it is the right one`)
  return { start: isBelow ? url : answer.url, scope, robots, sitemaps: page.sitemaps }
}

const sitemapNames = ['sitemap.xml', 'sitemap_index.xml', 'sitemap-index.xml', 'sitemap.xml.gz']

type Listing = { client: SiteClient; robots: Robots; scope: Scope; limits: MirrorLimits; budget: MirrorBudget }

const readListedPages = async ({ client, robots, scope, limits, budget }: Listing, named: readonly string[]) => {
  const guesses = sitemapNames.flatMap((name) => [scope.prefix + name, `/${name}`])
  const toSitemap = (address: string, isGuess: boolean) => {
    const { pathname, search } = new URL(address, scope.origin)
    return { url: scope.origin + pathname + search, isGuess }
  }
  const sitemaps = [
    ...[...robots.sitemaps, ...named].map((address) => toSitemap(address, false)),
    ...guesses.map((address) => toSitemap(address, true)),
  ]
  const listed = await readSitemaps(client, sitemaps, scope.origin, limits, budget)
  const counts = new Map<string, number>()
  for (const address of listed) {
    const origin = URL.parse(address)?.origin
    if (origin !== undefined) counts.set(origin, (counts.get(origin) ?? 0) + 1)
  }
  // A sitemap without any page of this host uses the public name of the site.
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a)
  if (most !== undefined && ![...scope.origins].some((origin) => counts.has(origin))) scope.alsoKnownAs(most[0])
  return listed
}

/** Asks for a page that no site has, because some sites send an ordinary page for it. */
const readMissingPage = async (
  client: SiteClient,
  robots: Robots,
  scope: Scope,
  limits: MirrorLimits,
): Promise<MissingPage | null> => {
  const url = `${scope.origin}${scope.prefix}${userAgent}-no-such-page`
  const answer = robots.allows(url) ? await client.get(url, limits.pageBytes) : null
  if (answer === null || !isAnswer(answer) || answer.status !== 200 || !/html/.test(answer.type)) return null
  const place = scope.locate(answer.url)
  const isMoved = answer.redirectedFrom.length > 0 && place?.kind === 'page'
  const { digest } = readPage(decodeText(answer), answer.url)
  return { digest, redirectsTo: isMoved ? place.key : null }
}

const formatPageCount = (pages: number) => (pages === 1 ? 'one page' : `the same page ${pages} times,`)

/** Pages that scripts draw, and those of a site in maintenance, look alike. */
const minAlike = 3

/** Removes pages without content, and throws a reason that the reader can act on if too much of the site is missing. */
const judgePages = (url: string, crawled: Crawled, limits: MirrorLimits, budget: MirrorBudget) => {
  const { pages, aliases, lost } = crawled
  const all = [...pages.values()]
  const cannot = (why: string) => new Error(`The site at ${url} cannot be read: ${why}`)
  const lose = ({ key, url: address }: Pick<CrawledPage, 'key' | 'url'>, reason: string) => {
    pages.delete(key)
    lost.set(key, { url: address, reason })
  }
  const [first] = all
  if (first !== undefined && all.every(({ isThin, mainDigest }) => isThin && mainDigest === first.mainDigest))
    throw cannot(
      `scripts draw its pages, and a mirror runs none. It found ${formatPageCount(all.length)} with fewer than ${thinLimit} words. Use the folder or the repository of the documentation as the source instead`,
    )
  const drawn = Map.groupBy(
    all.filter(({ isThin, refresh }) => isThin && refresh === null),
    ({ mainDigest }) => mainDigest,
  )
  for (const alike of drawn.values())
    for (const page of alike)
      if (page.isEmpty || alike.length >= minAlike) lose(page, 'it has no content without scripts')
  for (const alike of Map.groupBy(pages.values(), ({ content }) => content).values())
    if (
      alike.length >= minAlike &&
      alike.length > (pages.size + lost.size) * limits.lostShare &&
      alike[0]!.refresh === null
    )
      for (const page of alike) lose(page, `${alike.length} addresses send this very page`)
  for (const [target, from] of Map.groupBy(aliases, ([, to]) => to)) {
    const isTrap = from.length >= minAlike && from.length > pages.size
    for (const [key] of isTrap ? from : []) {
      aliases.delete(key)
      const to = pages.get(target)?.url ?? target
      lost.set(key, {
        url: `${new URL(url).origin}/${key}`,
        reason: `it redirects to ${to}, like ${from.length - 1} other pages`,
      })
    }
  }
  for (const { url: address, reason } of lost.values()) budget.report(address, reason)
  if (pages.size === 0) {
    const why = budget.isSpent() ? budget.leftOut()[0]!.reason : 'no page of it has content without scripts'
    throw cannot(why)
  }
  const total = pages.size + lost.size
  // A single dead link is the site's own.
  if (lost.size < 2 || lost.size / total <= limits.lostShare) return
  const reasons = [...Map.groupBy(lost.values(), ({ reason }) => reason)].toSorted(
    ([, a], [, b]) => b.length - a.length,
  )
  const named = reasons
    .slice(0, 3)
    .map(([reason, pagesWith]) => `${pagesWith.length} × ${reason} (${pagesWith[0]!.url})`)
  throw cannot(
    `${lost.size} of its ${total} pages are missing, and a mirror fails above ${limits.lostShare * 100} %: ${named.join(', ')}`,
  )
}

type Staging = { staging: string; scope: Scope; drafts: Drafts }

/** Gives every page and file its name. Returns files by path and query. */
const writeStaging = async (
  crawled: Crawled,
  moved: ReadonlyMap<string, string>,
  { staging, scope, drafts }: Staging,
) => {
  const { pages, aliases, others, written } = crawled
  const findKey = createPageFinder(crawled)
  const own = [...pages.values()].filter(({ key }) => findKey(key) === key)
  const redirects = [...aliases.keys()].filter((key) => !pages.has(key) && findKey(key) !== null)
  const names = createFileNames()
  const files = names.namePages([...own.map(({ key }) => key), ...redirects])
  const addresses = new Map<string, string>()
  for (const { key, url } of own) {
    await drafts.publishPage(key, files.get(key)!)
    addresses.set(toAddress(url), files.get(key)!)
  }
  for (const [address, type] of [...drafts.types].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const file = names.nameFile(address, scope.prefix, type)
    await drafts.publishFile(address, file)
    addresses.set(address, file)
  }
  const lead = (address: string, file: string | undefined) => {
    if (file !== undefined && !addresses.has(address)) addresses.set(address, file)
  }
  for (const [from, to] of moved) lead(from, addresses.get(to))
  for (const [address, key] of written) {
    const found = findKey(key)
    lead(address, found === null ? addresses.get(others.get(key) ?? '') : files.get(found))
  }
  // Readers keep the addresses that the site redirects.
  for (const key of redirects) {
    const target = toAddress(pages.get(findKey(key)!)!.url)
    await mkdir(dirname(join(staging, files.get(key)!)), { recursive: true })
    await writeFile(join(staging, files.get(key)!), formatRedirect(target))
  }
  return addresses
}

const formatRedirect = (target: string) =>
  `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=${escapeAttribute(target)}"><a href="${escapeAttribute(target)}">${escapeAttribute(target)}</a>\n`

/** Finds the page that a key leads to, after redirects. A page that is the same without its query is that one. */
const createPageFinder =
  ({ pages, aliases }: Crawled) =>
  (key: string): string | null => {
    let at = key
    for (let steps = 0; steps < 6; steps += 1) {
      const page = pages.get(at)
      if (page === undefined && !aliases.has(at)) return null
      const plain = pages.get(at.split('?', 1)[0]!)
      if (page === undefined) at = aliases.get(at)!
      else if (plain !== undefined && plain !== page && plain.content === page.content) at = plain.key
      else return at
    }
    return pages.has(at) ? at : null
  }
