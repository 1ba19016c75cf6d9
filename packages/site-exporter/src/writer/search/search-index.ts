import { createHash, type Hash } from 'node:crypto'
import { toLine } from '@docket/sources/text'
import { copyText } from '#site/decode-text.ts'
import { toHtmlFile } from '#writer/addresses.ts'
import type { SearchSection } from './page-text.ts'
import { createPageWeights, type PageTerms } from './page-weights.ts'
import { digits, toPosting, buildTermShards, buildWordShards } from './write-shards.ts'
import type { SearchScope, SearchScopes } from './scopes.ts'

export type SearchedPage = {
  path: string
  /** By default, the page of the path. */
  file?: string
  title: string
  trail: readonly string[]
  sections: readonly SearchSection[]
  /** By default, read from the title and the sections. */
  words?: PageTerms
}

/** Limits per page. Characters. */
const limits = { shown: 8_000, heading: 150, title: 300 }
/** Maximum headings of a page that results can link to. */
const maxSections = 400
/** Approximate size of a file with texts of pages. Bytes. */
const chunkBytes = 16_000
/** Maximum pages of a chunk, because a single digit counts them. */
const maxChunkPages = digits.length - 1

/** Index for the search, written as it grows: `terms`, `words` to suggest, and `pages` of each scope. As scripts, which even pages on a disk can load. */
export const createSearchIndex = (
  { scopes, numbers }: SearchScopes,
  write: (file: string, content: string) => void,
) => {
  const weigh = createPageWeights()
  const open = scopes.map((_, number) => openScope(number))

  function openScope(number: number) {
    const scope = {
      postings: new Map<string, number[]>(),
      /** Terms of titles and headings. */
      named: new Set<string>(),
      chunk: { pages: [] as string[], bytes: 0 },
      chunkSizes: '',
      pages: 0,
      hash: createHash('sha256'),
      save: (name: string, data: string) => saveShard(`${number}/${name}`, data, scope.hash),
    }
    return scope
  }

  const saveShard = (name: string, data: string, hash: Hash | null) => {
    hash?.update(name).update(data)
    write(`_docket/search/${name}.js`, `docketSearch(${JSON.stringify(name)},${data})\n`)
  }

  const closeChunk = (scope: (typeof open)[number]) => {
    if (scope.chunk.pages.length === 0) return
    scope.save(`pages-${scope.chunkSizes.length}`, `[${scope.chunk.pages.join(',\n')}]`)
    scope.chunkSizes += digits[scope.chunk.pages.length]!
    scope.chunk = { pages: [], bytes: 0 }
  }

  return {
    add: ({ path, file = toHtmlFile(path), title, trail, sections, words }: SearchedPage): void => {
      const scope = open[numbers.get(path)!]!
      const number = scope.pages++
      const { terms, impacts, named } = words ?? weigh(title, sections)
      for (const [at, term] of terms === '' ? [] : terms.split(' ').entries()) {
        const posting = toPosting(number, impacts[at]!)
        const postings = scope.postings.get(term)
        if (postings === undefined) scope.postings.set(copyText(term), [posting])
        else postings.push(posting)
        if (at < named) scope.named.add(term)
      }

      const page = JSON.stringify([
        file,
        toLine(title, limits.title) ?? '',
        trail.join(' › '),
        selectShownSections(sections),
      ])
      scope.chunk.pages.push(page)
      scope.chunk.bytes += Buffer.byteLength(page)
      if (scope.chunk.bytes >= chunkBytes || scope.chunk.pages.length >= maxChunkPages) closeChunk(scope)
    },

    close: (): void => {
      const listed: string[] = []
      for (const [number, scope] of open.entries()) {
        closeChunk(scope)
        const sorted = [...scope.postings]
          .map(([term, postings]) => ({ term, postings, isNamed: scope.named.has(term) }))
          .sort((a, b) => (a.term < b.term ? -1 : 1))
        const words = buildWordShards(sorted, scope.pages)
        const entries = buildTermShards(sorted)
        for (const [at, text] of words.texts.entries()) scope.save(`words-${at}`, JSON.stringify(text))
        for (const [at, text] of entries.texts.entries()) scope.save(`terms-${at}`, JSON.stringify(text))
        const start = { pages: scope.pages, terms: entries.firsts, words: words.firsts, chunks: scope.chunkSizes }
        scope.save('start', JSON.stringify(start))
        // Names contain a digest, because browser caches may have files of an earlier export.
        const digest = scope.hash.digest('hex').slice(0, 8)
        listed.push(JSON.stringify({ ...scopes[number]!, digest }))
        scope.postings.clear()
      }
      saveShard('start', `{"all":${JSON.stringify(describeScopes(scopes))},"scopes":[${listed.join(',\n')}]}`, null)
    },
  }
}

const selectShownSections = (sections: readonly SearchSection[]) => {
  const kept = sections.slice(0, maxSections)
  let left = limits.shown
  return kept.map(({ id, heading, text }, index) => {
    const shown = text.slice(0, Math.floor(left / (kept.length - index)))
    left -= shown.length
    return [id, heading.slice(0, limits.heading).toWellFormed(), shown.toWellFormed()]
  })
}

/** Name of the word for all scopes. */
const describeScopes = (scopes: readonly SearchScope[]) => {
  const languages = new Set(scopes.map(({ lang }) => lang)).size
  const versions = new Set(scopes.map(({ version }) => version)).size
  if (languages > 1 && versions > 1) return 'everything'
  return languages > 1 ? 'allLanguages' : 'allVersions'
}
