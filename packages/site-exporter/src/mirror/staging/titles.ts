import type { CrawledPage } from '#mirror/crawl/crawled.ts'

/** Titles of pages and of the site. */
export type Titles = {
  siteName: string | null
  findTitle(page: CrawledPage): string | null
  findDescription(page: CrawledPage): string | null
}

const separator = /\s+(?:[|·•–—-]|::|»|«|\/)\s+/

/** Derives the site name from frequent title suffixes, and drops descriptions that many pages share. */
export const collectTitles = (pages: readonly CrawledPage[]): Titles => {
  const count = (values: Iterable<string | null | undefined>) => {
    const counts = new Map<string, number>()
    for (const value of values) if (value) counts.set(value, (counts.get(value) ?? 0) + 1)
    return counts
  }
  const findMostFrequent = (counts: ReadonlyMap<string, number>) =>
    [...counts].toSorted(([a, first], [b, second]) => second - first || (a < b ? -1 : 1))[0]
  const parts = pages.map(({ documentTitle }) => documentTitle?.split(separator) ?? [])
  const last = findMostFrequent(count(parts.filter((part) => part.length > 1).map((part) => part.at(-1))))
  const isOnMost = last !== undefined && last[1] > 1 && last[1] * 2 >= pages.length
  const declared = findMostFrequent(count(pages.map(({ siteName }) => siteName)))?.[0] ?? null
  const siteName = declared ?? (isOnMost ? last[0] : null)
  const suffixes = new Set([siteName, isOnMost ? last[0] : null])
  const descriptions = count(pages.map(({ description }) => description))

  return {
    siteName,
    findTitle: ({ title, documentTitle }) => {
      if (title) return title
      if (!documentTitle) return null
      const words = documentTitle.split(separator)
      while (words.length > 1 && suffixes.has(words.at(-1)!)) words.pop()
      while (words.length > 1 && suffixes.has(words[0]!)) words.shift()
      return words.join(' – ')
    },
    findDescription: ({ description }) => (description && descriptions.get(description)! <= 2 ? description : null),
  }
}
