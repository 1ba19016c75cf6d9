import type { ExtractedPage } from '#mirror/extract/extract-page.ts'
import type { Extractor } from '#mirror/extract/extractor.ts'
import { navigationParts } from '#mirror/finding/navigation.ts'
import type { Robots } from '#mirror/finding/robots.ts'
import { shapeOf, suspicion, type Scope } from '#mirror/finding/scope.ts'
import { isAnswer, textOf, type Answer } from '#mirror/http/answer.ts'
import type { SiteClient } from '#mirror/http/site-client.ts'
import { inOrder } from '#in-order.ts'
import type { MirrorBudget } from '#mirror/mirror-budget.ts'
import type { MirrorLimits } from '#mirror/mirror-limits.ts'
import { digestOf, type Drafts } from '#mirror/staging/draft.ts'

/** A page that was read. Its content is among the drafts. */
export type CrawledPage = Pick<
  ExtractedPage,
  'title' | 'documentTitle' | 'siteName' | 'description' | 'icon' | 'color' | 'isEmpty'
> & {
  key: string
  /** Key of the page that it names as the one to be listed, if that is another one. */
  canonical: string | null
  /** Of its title and content. */
  digest: string
}

/** An address to read. */
export type Found = { key: string; urls: string[]; isListed: boolean }

/** What is known of a site while it is read. */
export type Crawled = {
  pages: Map<string, CrawledPage>
  /** Other keys of pages. */
  aliases: Map<string, string>
  /** Keys that turned out to be files, with their addresses. */
  files: Map<string, string>
  /** Addresses of this origin that pages show or link as files. */
  media: Set<string>
  /** Keys at which the site has nothing. */
  missing: Set<string>
  navigation: ReturnType<typeof navigationParts>
}

/** What reading needs. */
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

type Reading =
  | { problem: string; gone?: boolean }
  | { answer: Omit<Answer, 'body'>; bytes: number; page: ExtractedPage | null }

/** Said of pages whose words only a script would bring. */
const noContent = 'it has no content without scripts'

/** Copies of one and the same page that links alone lead to: a server that has an answer to everything has no end. */
const mostCopies = 20

/** A reader of pages that goes on with what it knows at each call. */
export const crawler = (deps: CrawlDeps) => {
  const { client, robots, scope, limits, extractor, drafts, budget, onPage } = deps
  const known = new Set<string>()
  const shapes = new Map<string, number>()
  const copies = new Map<string, number>()
  let goneInARow = 0
  const keyOf = (url: string) => {
    const place = scope.placeOf(url)
    return place?.kind === 'page' ? place.key : null
  }
  const crawled: Crawled = {
    pages: new Map(),
    aliases: new Map(),
    files: new Map(),
    media: new Set(),
    missing: new Set(),
    navigation: navigationParts(keyOf),
  }
  const report = (found: Found, reason: string) => budget.report(found.urls[0]!, reason)

  const read = async ({ urls }: Found): Promise<Reading> => {
    let reading: Reading = { problem: 'it was not read' }
    for (const url of urls) {
      if (!robots.allows(url)) return { problem: 'robots.txt does not allow it' }
      if (budget.isSpent()) return reading
      const answer = await client.get(url, limits.pageBytes)
      if (!isAnswer(answer)) return answer
      const { body, ...rest } = answer
      const isPage = answer.status === 200 && /^(text\/html|application\/xhtml\+xml)$/.test(answer.type)
      const extraction = isPage ? await extractor.extract(textOf(answer), answer.url) : null
      if (extraction && 'problem' in extraction) return extraction
      reading = { answer: rest, bytes: body.length, page: extraction?.page ?? null }
      if (answer.status !== 404) break
    }
    return reading
  }

  /** Decides what an address is. Returns the addresses found on it. */
  const take = async (found: Found, reading: Reading): Promise<string[]> => {
    const { key, urls, isListed } = found
    if ('problem' in reading) {
      goneInARow = reading.gone ? goneInARow + 1 : 0
      if (goneInARow >= limits.goneAfter)
        throw new Error(`The site stopped answering after ${crawled.pages.size} pages: ${reading.problem}`)
      report(found, reading.problem)
      return []
    }
    goneInARow = 0
    budget.spend(reading.bytes)
    const { answer, page } = reading
    if (answer.status === 404 || answer.status === 410) {
      crawled.missing.add(key)
      if (isListed) report(found, `the sitemap lists it, and it answers ${answer.status}`)
      return []
    }
    if (answer.status !== 200) {
      report(found, `it answers ${answer.status}`)
      return []
    }
    const place = scope.placeOf(answer.url)
    if (place?.kind !== 'page') {
      if (place?.kind === 'file') crawled.media.add(crawled.files.set(key, place.url).get(key)!)
      else report(found, `it redirects to ${answer.url}, which is not below the address of the site`)
      return []
    }
    if (place.key !== key) {
      crawled.aliases.set(key, place.key)
      if (known.has(place.key)) return []
      known.add(place.key)
    }
    if (page === null) {
      crawled.media.add(urls[0]!)
      crawled.files.set(place.key, urls[0]!)
      return []
    }
    const onward = page.refresh === null ? null : keyOf(page.refresh)
    if (onward !== null && onward !== place.key) {
      crawled.aliases.set(place.key, onward)
      return [page.refresh!]
    }
    const problem = await keep(place.key, page, isListed)
    if (problem !== null) report(found, problem)
    return problem === null || page.isEmpty ? page.links : []
  }

  /** Keeps a page; otherwise tells why not. */
  const keep = async (key: string, page: ExtractedPage, isListed: boolean): Promise<string | null> => {
    if (page.isEmpty && !isListed && page.title === null) return noContent
    if (Buffer.byteLength(page.html) > limits.contentBytes)
      return `its content has more than ${limits.contentBytes / 1024} kB`
    if (crawled.pages.size >= limits.pages) return `a site may have ${limits.pages} pages`
    const digest = digestOf(`${page.title}\n${page.html}\n${JSON.stringify(page.references)}`)
    if (!isListed) {
      const count = (copies.get(digest) ?? 0) + 1
      copies.set(digest, count)
      if (count > mostCopies) return `more than ${mostCopies} addresses have this very page`
      const shape = shapeOf(key)
      const alike = shape === null ? 0 : (shapes.get(shape) ?? 0) + 1
      if (shape !== null) shapes.set(shape, alike)
      if (alike > limits.ofOneShape) return `more than ${limits.ofOneShape} addresses differ from it in numbers only`
    }
    const canonical = page.canonical === null ? null : keyOf(page.canonical)
    const { title, documentTitle, siteName, description, icon, color } = page
    const said = { title, documentTitle, siteName, description, icon, color }
    crawled.pages.set(key, {
      ...said,
      key,
      digest,
      isEmpty: page.isEmpty,
      canonical: canonical === key ? null : canonical,
    })
    crawled.navigation.add(page.sidebar)
    for (const { url, kind } of page.references) {
      const place = kind === 'link' ? scope.placeOf(url) : null
      if (place?.kind === 'file') crawled.media.add(place.url)
      const own = kind === 'media' ? scope.ownOf(url) : null
      if (own !== null) crawled.media.add(own)
    }
    await drafts.keep(key, page)
    return page.isEmpty ? noContent : null
  }

  /** Takes in an address, unless it is known or leads out of the site. */
  const discover = (url: string, isListed: boolean, found: Map<string, Found>) => {
    const place = scope.placeOf(url)
    // What a sitemap lists is a page whatever its name.
    if (place?.kind !== 'page') return
    const waiting = found.get(place.key)
    if (waiting && waiting.urls.length < 3 && !waiting.urls.includes(place.url)) waiting.urls.push(place.url)
    if (known.has(place.key)) return
    known.add(place.key)
    const reason = isListed ? null : suspicion(place.key, limits.depth)
    if (reason !== null) return budget.report(place.url, reason)
    if (known.size > limits.addresses) return budget.report(place.url, `a site may have ${limits.addresses} addresses`)
    found.set(place.key, { key: place.key, urls: [place.url], isListed })
  }

  return {
    crawled,
    /** Reads the page at `start`, what sitemaps list, and everything they lead to. */
    readAll: async (start: string, listed: readonly string[]): Promise<void> => {
      let found = new Map<string, Found>()
      discover(start, true, found)
      for (const url of listed) discover(url, true, found)
      while (found.size > 0 && !budget.isSpent()) {
        const next = new Map<string, Found>()
        for await (const { item, result } of inOrder([...found.values()].toSorted(byKey), limits.atOnce, read)) {
          if (budget.isSpent()) break
          for (const link of await take(item, result)) discover(link, false, next)
          await onPage(crawled.pages.size, known.size)
        }
        found = next
      }
    },
  }
}

const byKey = (a: Found, b: Found) => (a.key < b.key ? -1 : 1)
