import type { BundlePage } from '#manifest.ts'
import { estimateSimilarity, readSignature } from '#pages/description/signature.ts'

export type PagePair = { earlier: BundlePage; later: BundlePage }

export type MatchedPages = { same: PagePair[]; moved: PagePair[]; added: BundlePage[]; removed: BundlePage[] }

/** From this estimate on, two pages count as one that moved. */
const minSimilarity = 0.55
/** Applies when the earlier address redirects to the page. */
const minSimilarityRedirected = 0.25
const minCandidate = 0.2
/** Shorter texts are only the same page when they are equal. Words. */
const minWordCount = 20
/** Bins shared by more pages are ignored, because they do not distinguish them. */
const maxPagesPerBin = 40

/** An address without what readers do not see: `/guide` and `/guide/` are one. */
export const toKey = (address: string): string => (address.length > 1 ? address.replace(/\/+$/, '') : address)

const readLastSegment = (address: string) => toKey(address).split('/').at(-1) ?? ''

/** Pairs pages by address, then by equal text, then by similar text. `findTarget`: where the later site redirects an address. */
export const matchPages = (
  earlier: readonly BundlePage[],
  later: readonly BundlePage[],
  findTarget: (address: string) => string | null,
): MatchedPages => {
  const same: PagePair[] = []
  const byAddress = pairByKey(earlier, later, ({ address }) => address, same)
  const byKey = pairByKey(byAddress.earlier, byAddress.later, ({ address }) => toKey(address), same)
  const moved: PagePair[] = []
  // The most specific match first: pages with equal text, such as stubs, keep their titles and names.
  let rest = byKey
  for (const read of [
    (page: BundlePage) => `${page.textHash} ${page.title} ${readLastSegment(page.address)}`,
    (page: BundlePage) => `${page.textHash} ${page.title}`,
    (page: BundlePage) => page.textHash,
  ])
    rest = pairByKey(rest.earlier, rest.later, (page) => (page.words === 0 ? null : read(page)), moved)
  rest = pairSimilar(rest, findTarget, moved)
  return { same, moved, added: rest.later, removed: rest.earlier }
}

export type Rest<T> = { earlier: T[]; later: T[] }

/** Pairs those with the same key in their order, and returns the others. */
export const pairByKey = <T>(
  earlier: readonly T[],
  later: readonly T[],
  read: (one: T) => string | null,
  pairs: { earlier: T; later: T }[],
): Rest<T> => {
  const waiting = Map.groupBy(later, read)
  const next = new Map<string, number>()
  const rest: Rest<T> = { earlier: [], later: [] }
  for (const page of earlier) {
    const key = read(page)
    const place = next.get(key ?? '') ?? 0
    const partner = key === null ? undefined : waiting.get(key)?.[place]
    if (partner) {
      pairs.push({ earlier: page, later: partner })
      next.set(key!, place + 1)
    } else rest.earlier.push(page)
  }
  for (const [key, pages] of waiting) rest.later.push(...pages.slice(key === null ? 0 : next.get(key)))
  return rest
}

const pairSimilar = (
  rest: Rest<BundlePage>,
  findTarget: (address: string) => string | null,
  moved: PagePair[],
): Rest<BundlePage> => {
  const candidates = findSimilar(rest.earlier, rest.later)
    .map((candidate) => {
      const { address } = candidate.earlier
      const target = findTarget(address)
      return { ...candidate, isTarget: target !== null && toKey(target) === toKey(candidate.later.address) }
    })
    .filter(({ similarity, isTarget }) => similarity >= (isTarget ? minSimilarityRedirected : minSimilarity))
    .toSorted(
      (a, b) =>
        Number(b.isTarget) - Number(a.isTarget) ||
        b.similarity - a.similarity ||
        Number(b.later.title === b.earlier.title) - Number(a.later.title === a.earlier.title) ||
        compareText(a.earlier.address, b.earlier.address) ||
        compareText(a.later.address, b.later.address),
    )
  const taken = new Set<BundlePage>()
  for (const { earlier, later } of candidates) {
    if (taken.has(earlier) || taken.has(later)) continue
    taken.add(earlier)
    taken.add(later)
    moved.push({ earlier, later })
  }
  const isFree = (page: BundlePage) => !taken.has(page)
  return { earlier: rest.earlier.filter(isFree), later: rest.later.filter(isFree) }
}

/** Pairs with a bin in common, through an index by bin: comparing all with all would take the square of the pages. */
export const findSimilar = (
  earlier: readonly BundlePage[],
  later: readonly BundlePage[],
): { earlier: BundlePage; later: BundlePage; similarity: number }[] => {
  const isLong = ({ words }: BundlePage) => words >= minWordCount
  const signatures = later.map((page) => (isLong(page) ? readSignature(page.signature) : null))
  const index = new Map<number, number[]>()
  for (const [place, signature] of signatures.entries())
    for (const [bin, value] of signature?.entries() ?? []) {
      const pages = index.get(bin * 65_536 + value)
      if (pages) pages.push(place)
      else index.set(bin * 65_536 + value, [place])
    }
  return earlier.filter(isLong).flatMap((page) => {
    const signature = readSignature(page.signature)
    const found = new Set<number>()
    for (const [bin, value] of signature.entries()) {
      const pages = value === 0xffff ? [] : (index.get(bin * 65_536 + value) ?? [])
      if (pages.length <= maxPagesPerBin) for (const place of pages) found.add(place)
    }
    return [...found].flatMap((place) => {
      const similarity = estimateSimilarity(signature, signatures[place]!)
      return similarity < minCandidate ? [] : [{ earlier: page, later: later[place]!, similarity }]
    })
  })
}

/** Order of addresses and paths: by code units, the same on every machine. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
