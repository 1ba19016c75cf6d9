import { readRefresh, formatTag, readAttribute, readText, type Element } from './html.ts'

/** Facts of a page that other pages and the notes need. Small, because those of all pages are in memory together. */
export type PageFacts = {
  /** Hashes of the names that a fragment can point to, sorted. */
  ids: Uint32Array
  /** Hashes of the names that scripts usually give to headings without one. */
  slugs: Uint32Array
  headings: number
  hasSearch: boolean
  redirectsTo: string | null
  withoutText: string[]
}

/** FNV-1a. Of a thousand names, one in four million is taken for another. */
export const hashName = (name: string): number => {
  let hash = 0x811c9dc5
  for (let place = 0; place < name.length; place += 1) hash = Math.imul(hash ^ name.charCodeAt(place), 0x01000193)
  return hash >>> 0
}

export const includesName = (hashes: Uint32Array, name: string): boolean => {
  const wanted = hashName(name)
  let [low, high] = [0, hashes.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (hashes[middle]! < wanted) low = middle + 1
    else high = middle
  }
  return hashes[low] === wanted
}

const toHashes = (names: readonly string[]) => Uint32Array.from(names, hashName).sort()

const toSlug = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s+/g, '-')

const isDecoration = (element: Element) =>
  /^(presentation|none)$/.test(readAttribute(element, 'role') ?? '') || readAttribute(element, 'aria-hidden') === 'true'

const isSearch = ({ attrs }: Element) =>
  attrs.some(
    ({ name, value }) =>
      (name === 'class' || name === 'id' || name === 'role' || name === 'type' || name.startsWith('data-')) &&
      /search/i.test(name === 'class' || name === 'id' || name === 'role' || name === 'type' ? value : name),
  )

export const readPageFacts = (
  elements: readonly Element[],
  { looksForSearch }: { looksForSearch: boolean },
): PageFacts => {
  const [ids, slugs, withoutText]: [string[], string[], string[]] = [[], [], []]
  let headings = 0
  let hasSearch = false
  let redirectsTo: string | null = null
  for (const element of elements) {
    const { tagName } = element
    const id = readAttribute(element, 'id')
    if (id !== null) ids.push(id)
    if (tagName === 'a') ids.push(readAttribute(element, 'name') ?? '')
    else if (tagName.length === 2 && /^h[1-6]$/.test(tagName)) {
      headings += 1
      if (id === null) slugs.push(toSlug(readText(element)))
    } else if (tagName === 'img' && readAttribute(element, 'alt') === null && !isDecoration(element))
      withoutText.push(formatTag(element))
    else if (tagName === 'meta' && readAttribute(element, 'http-equiv')?.toLowerCase() === 'refresh') {
      const refresh = readRefresh(readAttribute(element, 'content') ?? '')
      if (refresh !== null && refresh.afterSeconds === 0) redirectsTo = refresh.address
    }
    if (looksForSearch) hasSearch ||= isSearch(element)
  }
  return { ids: toHashes(ids), slugs: toHashes(slugs), headings, hasSearch, redirectsTo, withoutText }
}
