import { count } from '@docket/sources/text'
import { pMapIterable } from 'p-map'
import { isManifest, readFile, readPagefind } from '#mirror/finding/read-file.ts'
import { readPage } from '#mirror/finding/read-page.ts'
import { decodeText, isAnswer, type Answer } from '#mirror/http/site-client.ts'
import { disallowed, isHtml, toAddress, type CrawlDeps, type Crawled } from './crawl.ts'

type Wanted = Crawled['files']

const readable = /^(?:text\/(?:css|(?:java|ecma)script|html)|application\/(?:x-)?(?:java|ecma)script|image\/svg\+xml)$/

/** Reads the files that pages need, and those that these need. Returns addresses that lead to others, by path and query. */
export const crawlFiles = async (
  first: Wanted,
  { client, robots, scope, limits, drafts, budget, onPage }: CrawlDeps,
  pages: number,
): Promise<Map<string, string>> => {
  const moved = new Map<string, string>()
  const known = new Set<string>()
  const prefix = scope.origin + scope.prefix
  let next: Wanted = new Map()
  let goneInARow = 0
  const need = (url: string, isOptional: boolean, mayBePage = false) => {
    const own = scope.toOwnUrl(url)
    if (own === null || known.has(own)) return
    if (known.size >= limits.addresses) return budget.report(own, `a site may have ${limits.addresses} files`)
    known.add(own)
    if (!drafts.types.has(toAddress(own))) next.set(own, { isOptional, mayBePage })
    // VitePress loads the whole page after its lean form.
    if (own.endsWith('.lean.js')) need(own.replace(/\.lean(?=\.js$)/, ''), true)
  }

  const findMore = (answer: Answer) => {
    const { url, type, body } = answer
    for (const one of readPagefind(url, body)) need(one.url, true)
    if (body.length > limits.pageBytes || !(readable.test(type) || isManifest(url))) return
    const text = decodeText(answer)
    if (isHtml(type))
      for (const one of readPage(text, url).found) if (one.use !== 'link' && one.use !== 'name') need(one.url, true)
    for (const one of readFile({ url, type, text }, prefix)) need(one.url, one.isOptional)
  }

  const keep = async (url: string, isOptional: boolean, mayBePage: boolean, answer: Answer) => {
    budget.spend(answer.body.length)
    // A missing file is missing on the site, too.
    if (answer.status === 404 || answer.status === 410) return
    if (answer.status !== 200) return budget.report(url, `it answers ${answer.status}`)
    if (isHtml(answer.type) && !mayBePage)
      return isOptional ? undefined : budget.report(url, 'it answers with a page instead of a file')
    const [from, to] = [toAddress(url), toAddress(answer.url)]
    if (from !== to) moved.set(from, to)
    if (drafts.types.has(to)) return
    await drafts.keepFile(to, answer)
    try {
      findMore(answer)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      budget.report(url, `its addresses are unknown: ${error.message}`)
    }
  }

  for (const [url, { isOptional, mayBePage }] of first) need(url, isOptional, mayBePage)
  while (next.size > 0 && !budget.isSpent()) {
    const wave = [...next].toSorted(([a], [b]) => (a < b ? -1 : 1))
    next = new Map()
    const read = async ([url, wanted]: (typeof wave)[number]) => {
      if (!robots.allows(url)) return { url, wanted, result: { problem: disallowed, gone: false } }
      return { url, wanted, result: budget.isSpent() ? null : await client.get(url, limits.mediaBytes) }
    }
    for await (const { url, wanted, result } of pMapIterable(wave, read, { concurrency: limits.atOnce })) {
      if (budget.isSpent() || result === null) break
      if (isAnswer(result)) await keep(url, wanted.isOptional, wanted.mayBePage, result)
      else budget.report(url, result.problem)
      goneInARow = !isAnswer(result) && result.gone ? goneInARow + 1 : 0
      if (goneInARow >= limits.goneAfter)
        throw new Error(
          `The site stopped answering after ${count(pages, 'page')} and ${count(drafts.types.size, 'file')}`,
        )
      await onPage(pages, pages)
    }
  }
  return moved
}
