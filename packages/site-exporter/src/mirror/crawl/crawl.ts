import { pMapIterable } from 'p-map'
import type { ExtractedPage } from '#mirror/extract/extract-page.ts'
import type { Extractor } from '#mirror/extract/extractor.ts'
import type { Robots } from '#mirror/finding/robots.ts'
import { findSuspicion, type Scope, toShape } from '#mirror/finding/scope.ts'
import { decodeText, isAnswer, type Answer, type SiteClient } from '#mirror/http/site-client.ts'
import type { MirrorBudget, MirrorLimits } from '#mirror/mirror-limits.ts'
import { type Drafts, computeDigest } from '#mirror/staging/draft.ts'
import { createNavigationParts } from '#mirror/finding/navigation.ts'

export type CrawledPage = Pick<
  ExtractedPage,
  'title' | 'documentTitle' | 'siteName' | 'description' | 'icon' | 'color' | 'isEmpty' | 'isThin'
> & {
  key: string
  canonical: string | null
  /** Digest of title and content. */
  digest: string
}

export type Crawled = {
  pages: Map<string, CrawledPage>
  aliases: Map<string, string>
  files: Map<string, string>
  media: Set<string>
  /** Keys that answer 404. */
  missing: Set<string>
  navigation: ReturnType<typeof createNavigationParts>
  /** Keys that the first page links, in order. */
  linkedFirst: string[]
}

const createEmptyCrawl = (toKey: (url: string) => string | null): Crawled => ({
  pages: new Map(),
  aliases: new Map(),
  files: new Map(),
  media: new Set(),
  missing: new Set(),
  navigation: createNavigationParts(toKey),
  linkedFirst: [],
})

export type CrawlDeps = {
  client: SiteClient
  robots: Robots
  scope: Scope
  limits: MirrorLimits
  extractor: Extractor
  drafts: Drafts
  budget: MirrorBudget
  onPage: (read: number, found: number) => Promise<void> | void
}

type Found = { key: string; urls: string[]; isListed: boolean }

/** Reads `start`, all URLs of the sitemaps, and everything they link. Rejects when the site stops answering. */
export const crawlSite = async (start: string, sitemapUrls: readonly string[], deps: CrawlDeps): Promise<Crawled> => {
  const { scope, limits, budget, onPage } = deps
  const crawled = createEmptyCrawl(scope.toKey)
  const known = new Set<string>()
  const read = addressReader(deps)
  const keep = createPageKeeper({ ...deps, crawled })
  let goneInARow = 0

  const onProblem = (reading: { problem: string; gone?: boolean }): string => {
    goneInARow = reading.gone ? goneInARow + 1 : 0
    if (goneInARow >= limits.goneAfter)
      throw new Error(`The site stopped answering after ${crawled.pages.size} pages: ${reading.problem}`)
    return reading.problem
  }

  const classify = async (
    { key, urls, isListed }: Found,
    reading: Reading,
  ): Promise<{ problem?: string | null; links?: string[] }> => {
    if ('problem' in reading) return { problem: onProblem(reading) }
    goneInARow = 0
    budget.spend(reading.bytes)
    const { answer, page } = reading
    if (answer.status === 404 || answer.status === 410) {
      crawled.missing.add(key)
      return isListed ? { problem: `the sitemap lists it, and it answers ${answer.status}` } : {}
    }
    if (answer.status !== 200) return { problem: `it answers ${answer.status}` }
    const place = scope.locate(answer.url)
    if (place === null || place.kind === 'outside')
      return { problem: `it redirects to ${answer.url}, which is not below the address of the site` }
    if (place.kind === 'file') {
      crawled.media.add(place.url)
      crawled.files.set(key, place.url)
      return {}
    }
    if (place.key !== key) {
      crawled.aliases.set(key, place.key)
      if (known.has(place.key)) return {}
      known.add(place.key)
    }
    if (page === null) {
      crawled.media.add(urls[0]!)
      crawled.files.set(place.key, urls[0]!)
      return {}
    }
    const onward = page.refresh === null ? null : scope.toKey(page.refresh)
    if (onward !== null && onward !== place.key) {
      crawled.aliases.set(place.key, onward)
      return { links: [page.refresh!] }
    }
    const problem = await keep(place.key, page, isListed)
    if (crawled.pages.size === 1) crawled.linkedFirst = page.links.flatMap((link) => scope.toKey(link) ?? [])
    return { problem, links: problem === null || page.isEmpty ? page.links : [] }
  }

  const discover = (url: string, isListed: boolean, found: Map<string, Found>) => {
    const place = scope.locate(url)
    if (place?.kind !== 'page') return
    const waiting = found.get(place.key)
    if (waiting && waiting.urls.length < 3 && !waiting.urls.includes(place.url)) waiting.urls.push(place.url)
    if (known.has(place.key)) return
    known.add(place.key)
    const reason = isListed ? null : findSuspicion(place.key, limits.depth)
    if (reason !== null) return budget.report(place.url, reason)
    if (known.size > limits.addresses) return budget.report(place.url, `a site may have ${limits.addresses} addresses`)
    found.set(place.key, { key: place.key, urls: [place.url], isListed })
  }

  let found = new Map<string, Found>()
  discover(start, true, found)
  for (const url of sitemapUrls) discover(url, true, found)
  while (found.size > 0 && !budget.isSpent()) {
    const next = new Map<string, Found>()
    const waiting = [...found.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1))
    const readItem = async (item: Found) => ({ item, result: await read(item.urls) })
    // Keeps the order, so that the network does not decide which page exceeds a limit.
    for await (const { item, result } of pMapIterable(waiting, readItem, { concurrency: limits.atOnce })) {
      if (budget.isSpent()) break
      const { problem, links = [] } = await classify(item, result)
      if (problem) budget.report(item.urls[0]!, problem)
      for (const link of links) discover(link, false, next)
      await onPage(crawled.pages.size, known.size)
    }
    found = next
  }
  return crawled
}

/** Response from an address. `page` is null unless it is HTML. `gone` means that there was no response at all. */
type Reading =
  | { problem: string; gone?: boolean }
  | { answer: Omit<Answer, 'body'>; bytes: number; page: ExtractedPage | null }

const addressReader =
  ({ client, robots, limits, extractor, budget }: CrawlDeps) =>
  async (urls: readonly string[]): Promise<Reading> => {
    let reading: Reading = { problem: 'it was not read' }
    for (const url of urls) {
      if (!robots.allows(url)) return { problem: 'robots.txt does not allow it' }
      if (budget.isSpent()) return reading
      const answer = await client.get(url, limits.pageBytes)
      if (!isAnswer(answer)) return answer
      const { body, ...rest } = answer
      const isPage = answer.status === 200 && /^(text\/html|application\/xhtml\+xml)$/.test(answer.type)
      const extraction = isPage ? await extractor.extract(decodeText(answer), answer.url) : null
      if (extraction && 'problem' in extraction) return extraction
      reading = { answer: rest, bytes: body.length, page: extraction?.page ?? null }
      if (answer.status !== 404) break
    }
    return reading
  }

const noContent = 'it has no content without scripts'

/** Maximum linked copies of one page, because some servers return the same page for every address. */
const maxCopies = 20

type KeeperDeps = { crawled: Crawled; scope: Scope; limits: MirrorLimits; drafts: Drafts }

/** Creates a function that stores a page and returns the problem to report, or null. */
const createPageKeeper = ({ crawled, scope, limits, drafts }: KeeperDeps) => {
  const shapes = new Map<string, number>()
  const copies = new Map<string, number>()
  const countIn = (counts: Map<string, number>, name: string) => {
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return count
  }

  const findGeneratedReason = (key: string, digest: string): string | null => {
    if (countIn(copies, digest) > maxCopies) return `more than ${maxCopies} addresses have this very page`
    const shape = toShape(key)
    if (shape === null || countIn(shapes, shape) <= limits.ofOneShape) return null
    return `more than ${limits.ofOneShape} addresses differ from it in numbers only`
  }

  const keepReferences = (references: ExtractedPage['references']) => {
    for (const { url, kind } of references) {
      const place = kind === 'link' ? scope.locate(url) : null
      if (place?.kind === 'file') crawled.media.add(place.url)
      const own = kind === 'media' ? scope.toOwnUrl(url) : null
      if (own !== null) crawled.media.add(own)
    }
  }

  return async (key: string, page: ExtractedPage, isListed: boolean): Promise<string | null> => {
    if (page.isEmpty && !isListed && page.title === null) return noContent
    if (Buffer.byteLength(page.html) > limits.contentBytes)
      return `its content has more than ${limits.contentBytes / 1024} kB`
    if (crawled.pages.size >= limits.pages) return `a site may have ${limits.pages} pages`
    const digest = computeDigest(`${page.title}\n${page.html}\n${JSON.stringify(page.references)}`)
    const reason = isListed ? null : findGeneratedReason(key, digest)
    if (reason !== null) return reason
    const canonical = page.canonical === null ? null : scope.toKey(page.canonical)
    const { title, documentTitle, siteName, description, icon, color, isEmpty, isThin } = page
    const facts = { title, documentTitle, siteName, description, icon, color, isEmpty, isThin }
    crawled.pages.set(key, { ...facts, key, digest, canonical: canonical === key ? null : canonical })
    crawled.navigation.add(page.sidebar)
    keepReferences(page.references)
    await drafts.keep(key, page)
    return isEmpty ? noContent : null
  }
}
