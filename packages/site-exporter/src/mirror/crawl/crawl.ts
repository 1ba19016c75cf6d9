import { count } from '@docket/sources/text'
import { pMapIterable } from 'p-map'
import { isSignIn, readPage, type Found, type PageReading } from '#mirror/finding/read-page.ts'
import { findSearchFiles } from '#mirror/finding/read-file.ts'
import type { Robots } from '#mirror/finding/robots.ts'
import { findSuspicion, toShape, type Place, type Scope } from '#mirror/finding/scope.ts'
import { decodeText, isAnswer, type Answer, type NoAnswer, type SiteClient } from '#mirror/http/site-client.ts'
import type { MirrorBudget, MirrorLimits } from '#mirror/mirror-limits.ts'
import type { Drafts } from '#mirror/staging/drafts.ts'

export type CrawledPage = Pick<PageReading, 'mainDigest' | 'content' | 'isThin' | 'isEmpty' | 'refresh'> & {
  key: string
  /** Address that sent the page, after redirects. */
  url: string
}

export type Crawled = {
  pages: Map<string, CrawledPage>
  /** Keys of redirecting pages, and the keys they lead to. */
  aliases: Map<string, string>
  /** Keys of addresses that sent something else than a page, and its address. */
  others: Map<string, string>
  /** Keys by the path and query that a page or a sitemap wrote. */
  written: Map<string, string>
  /** Files that pages need. `isOptional`: nothing is lost when the site has no such file. */
  files: Map<string, { isOptional: boolean; mayBePage: boolean }>
  /** Pages that were linked or listed and could not be had, with reasons. */
  lost: Map<string, { url: string; reason: string }>
}

export type CrawlDeps = {
  client: SiteClient
  robots: Robots
  scope: Scope
  limits: MirrorLimits
  drafts: Drafts
  budget: MirrorBudget
  /** Page that the site sends for addresses without one, if it sends it as an ordinary page. */
  missingPage: MissingPage | null
  onPage: (read: number, found: number) => Promise<void> | void
}

/** How an address became known. Nothing is lost when an optional one leads nowhere. */
type Way = 'listed' | 'linked' | 'optional'

type Waiting = { key: string; urls: string[]; isListed: boolean }

export type MissingPage = Pick<PageReading, 'digest'> & { redirectsTo: string | null }

/** Reads `start`, all URLs of the sitemaps, and everything they link. Rejects when the site stops answering. */
export const crawlSite = async (start: string, listed: readonly string[], deps: CrawlDeps): Promise<Crawled> => {
  const { scope, limits, budget, onPage, missingPage, drafts } = deps
  const crawled: Crawled = {
    pages: new Map(),
    aliases: new Map(),
    others: new Map(),
    written: new Map(),
    files: new Map(),
    lost: new Map(),
  }
  const known = new Set<string>()
  /** Keys that were linked, and true for those that a sitemap lists. */
  const wanted = new Map<string, boolean>()
  const failures = new Map<string, { url: string; reason: string }>()
  const elsewhere = new Map<string, Map<string, Way>>()
  const queries = createQueryCounter(limits, budget)
  const findGenerated = createGeneratedTest(limits)
  const read = addressReader(deps)
  const startKey = toPageKey(scope.locate(start))
  let waiting = new Map<string, Waiting>()
  let goneInARow = 0
  let outsideCount = 0

  const keepOutside = (url: string, way: Way) => {
    const { origin } = new URL(url)
    const all = elsewhere.get(origin) ?? new Map<string, Way>()
    if (!all.has(url) && (outsideCount += 1) > limits.addresses) return
    elsewhere.set(origin, all.set(url, all.get(url) === 'listed' ? 'listed' : way))
  }

  const discover = (url: string, way: Way) => {
    const place = scope.locate(url)
    if (place === null) return
    if (place.kind === 'file') return needFile(place.url, way === 'optional', false)
    if (place.kind === 'outside') return scope.toOwnUrl(url) === null ? keepOutside(url, way) : undefined
    if (crawled.written.size < limits.addresses * 4) crawled.written.set(toAddress(scope.toOwnUrl(url)!), place.key)
    if (way !== 'optional') wanted.set(place.key, way === 'listed' || wanted.get(place.key) === true)
    const next = waiting.get(place.key)
    if (next && next.urls.length < 3 && !next.urls.includes(place.url)) next.urls.push(place.url)
    if (known.has(place.key)) return
    const reason = way === 'listed' ? null : findSuspicion(place.key, limits.depth)
    const isOver = known.size >= limits.addresses
    if (reason === null && !isOver && !queries.allows(place)) return
    known.add(place.key)
    if (reason !== null) return budget.report(place.url, reason)
    if (isOver) return budget.report(place.url, `a site may have ${limits.addresses} addresses`)
    waiting.set(place.key, { key: place.key, urls: [place.url], isListed: way === 'listed' })
  }

  const needFile = (url: string, isOptional: boolean, mayBePage: boolean) => {
    const before = crawled.files.get(url)
    crawled.files.set(url, {
      isOptional: isOptional && (before?.isOptional ?? true),
      mayBePage: mayBePage || (before?.mayBePage ?? false),
    })
  }

  const follow = ({ use, url, isOptional }: Found) => {
    const way = isOptional ? 'optional' : 'linked'
    if (use === 'link' || use === 'name' || use === 'redirect' || use === 'form') return discover(url, way)
    const own = scope.toOwnUrl(url)
    if (own === null) return keepOutside(url, way)
    const mayBePage = use === 'frame' || use === 'object'
    if ((mayBePage || use === 'hint') && scope.locate(url)?.kind === 'page') return discover(url, way)
    needFile(own, isOptional, mayBePage)
  }

  /** Pages may name the site as its readers know it, wherever it was read from. */
  const learnOrigins = (origins: readonly string[]) => {
    for (const origin of origins.filter((one) => !scope.origins.has(one))) {
      scope.alsoKnownAs(origin)
      for (const [url, way] of elsewhere.get(origin) ?? []) discover(url, way)
      elsewhere.delete(origin)
    }
  }

  const fail = (key: string, url: string, reason: string) => void failures.set(key, { url, reason })

  const onNoAnswer = (key: string, url: string, { problem, gone, isLimit }: NoAnswer) => {
    if (isLimit) return budget.report(url, problem)
    goneInARow = gone ? goneInARow + 1 : 0
    if (goneInARow >= limits.goneAfter)
      throw new Error(`The site stopped answering after ${count(crawled.pages.size, 'page')}: ${problem}`)
    fail(key, url, problem)
  }

  const keepOther = async (key: string, answer: Answer) => {
    const { pathname, search } = new URL(answer.url)
    crawled.others.set(key, pathname + search)
    await drafts.keepFile(pathname + search, answer)
  }

  const keepPage = async (item: Waiting, place: Place & { kind: 'page' }, answer: Answer, page: PageReading) => {
    const { key, isListed } = item
    const isStart = key === startKey
    const isRedirectedAway = missingPage?.redirectsTo === place.key && place.key !== key
    const isMissing = page.digest === missingPage?.digest || isRedirectedAway
    if (isMissing && !isStart) return fail(key, item.urls[0]!, 'the site has no such page, and sends another one')
    if (isSignIn(page, answer) && !isStart) return fail(key, item.urls[0]!, 'it leads to a page to sign in')
    if (place.key !== key) {
      crawled.aliases.set(key, place.key)
      if (crawled.pages.has(place.key)) return
      known.add(place.key)
    }
    if (crawled.pages.size >= limits.pages) return budget.report(item.urls[0]!, `a site may have ${limits.pages} pages`)
    const generated = isListed ? null : findGenerated(place.key, page)
    if (generated !== null) return budget.report(item.urls[0]!, generated)
    const { mainDigest, content, isThin, isEmpty, refresh } = page
    const facts = { mainDigest, content, isThin, isEmpty, refresh }
    crawled.pages.set(place.key, { ...facts, key: place.key, url: answer.url })
    crawled.written.set(toAddress(answer.url), place.key)
    await drafts.keepPage(place.key, answer)
    learnOrigins(page.origins)
    page.found.forEach(follow)
    for (const { url } of findSearchFiles(decodeText(answer), answer.url, scope.origin + scope.prefix))
      follow({ use: 'call', url, isOptional: true })
  }

  const classify = async (item: Waiting, reading: Reading) => {
    const { key } = item
    const url = item.urls[0]!
    if ('problem' in reading) return onNoAnswer(key, url, reading)
    goneInARow = 0
    const { answer, page } = reading
    budget.spend(answer.body.length)
    if (answer.status !== 200) return fail(key, url, `it answers ${answer.status}`)
    const place = scope.locate(answer.url)
    if (place?.kind === 'page' && page !== null) return keepPage(item, place, answer, page)
    if (place !== null && place.kind !== 'outside') return keepOther(key, answer)
    return fail(key, url, `it redirects to ${answer.url}, which is not below the address of the site`)
  }

  discover(start, 'listed')
  for (const url of listed) discover(url, 'listed')
  while (waiting.size > 0 && !budget.isSpent()) {
    const wave = [...waiting.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1))
    waiting = new Map()
    const readItem = async (item: Waiting) => ({ item, result: await read(item.urls) })
    // Keeps the order, so that the network does not decide which page exceeds a limit.
    for await (const { item, result } of pMapIterable(wave, readItem, { concurrency: limits.atOnce })) {
      if (budget.isSpent()) break
      await classify(item, result)
      await onPage(crawled.pages.size, known.size)
    }
  }
  const twins = new Set([...crawled.pages.keys()].map(maskVariant))
  for (const [key, failure] of failures) {
    const isMissing = /^it answers 4(?:04|10)$/.test(failure.reason)
    const isVariant = isMissing && wanted.get(key) === false && maskVariant(key) !== '' && twins.has(maskVariant(key))
    if (isVariant) budget.report(failure.url, `${failure.reason}; only other languages or versions have this page`)
    else if (wanted.has(key)) crawled.lost.set(key, failure)
    else if (!isMissing) budget.report(failure.url, failure.reason)
  }
  return crawled
}

/** Key without languages and versions. Pickers also link pages that another language or version lacks. */
const maskVariant = (key: string) =>
  key
    .split('/')
    .filter((part) => !/^(?:[a-z]{2,3}(?:[-_][a-z\d]{2,8})*|v?\d[\w.-]*|next|latest|stable|main|dev)$/i.test(part))
    .join('/')

const toPageKey = (place: Place | null) => (place?.kind === 'page' ? place.key : null)

/** Path and query. */
export const toAddress = (url: string) => url.slice(new URL(url).origin.length)

type Reading = NoAnswer | { answer: Answer; page: PageReading | null }

/** Addresses whose content may be as large as a file. */
const dataEnding = /\.(?:json|xml|txt|csv|ya?ml|mdx?)$/i

const addressReader =
  ({ client, robots, limits, budget }: CrawlDeps) =>
  async (urls: readonly string[]): Promise<Reading> => {
    let reading: Reading = { problem: 'it was not read' }
    for (const url of urls) {
      if (!robots.allows(url)) return { problem: disallowed, isLimit: true }
      if (budget.isSpent()) return reading
      const answer = await client.get(
        url,
        dataEnding.test(new URL(url).pathname) ? limits.mediaBytes : limits.pageBytes,
      )
      if (!isAnswer(answer)) return answer
      reading = { answer, page: null }
      if (answer.status === 200) return readAnswer(answer)
      if (answer.status !== 404) break
    }
    return reading
  }

export const disallowed = 'robots.txt does not allow it'

export const isHtml = (type: string) => /^(text\/html|application\/xhtml\+xml)$/.test(type)

const readAnswer = (answer: Answer): Reading => {
  if (!isHtml(answer.type)) return { answer, page: null }
  try {
    return { answer, page: readPage(decodeText(answer), answer.url) }
  } catch (error) {
    if (error instanceof RangeError) return { problem: error.message, isLimit: true }
    throw error
  }
}

const countIn = (counts: Map<string, number>, name: string): number => {
  const count = (counts.get(name) ?? 0) + 1
  counts.set(name, count)
  return count
}

/** Bounds the pages that differ in their query only, of one path and of the whole site. */
const createQueryCounter = (limits: MirrorLimits, budget: MirrorBudget) => {
  const counts = new Map<string, number>()
  let total = 0
  return {
    allows: ({ key, url }: { key: string; url: string }): boolean => {
      const [path = '', query] = key.split('?')
      if (query === undefined) return true
      const isOver = countIn(counts, path) > limits.queriesOfOnePath
      if (!isOver && (total += 1) <= limits.queries) return true
      const reason = isOver
        ? `one path may have ${limits.queriesOfOnePath} queries; more of them are not here`
        : `a site may have ${limits.queries} pages whose addresses have a query`
      budget.report(url.split('?', 1)[0]!, reason)
      return false
    },
  }
}

/** Maximum linked copies of one page, because some pages link copies of themselves without end. */
const maxCopies = 20

const createGeneratedTest = (limits: MirrorLimits) => {
  const shapes = new Map<string, number>()
  const copies = new Map<string, number>()
  return (key: string, { textDigest, refresh }: PageReading): string | null => {
    if (refresh === null && countIn(copies, textDigest) > maxCopies)
      return `more than ${maxCopies} addresses have this very page`
    const shape = toShape(key)
    if (shape === null || countIn(shapes, shape) <= limits.ofOneShape) return null
    return `more than ${limits.ofOneShape} addresses differ from it in numbers only`
  }
}
