import type { BundlePage } from '#manifest.ts'
import { toKey, type PagePair } from './match-pages.ts'
import type { PagePart } from './site-comparison.ts'

/** Name of the site that a generator puts after each title, with its separator; empty when most titles have none. */
export const findTitleSuffix = (pages: readonly BundlePage[]): string => {
  const counts = new Map<string, number>()
  for (const { title } of pages) {
    const suffix = /\s(?:[|·•–—:-]|::|»|«)\s(?!.*\s(?:[|·•–—:-]|::|»|«)\s).*$/u.exec(title)?.[0]
    if (suffix !== undefined) counts.set(suffix, (counts.get(suffix) ?? 0) + 1)
  }
  const [suffix, count] = [...counts].reduce((most, next) => (next[1] > most[1] ? next : most), ['', 0])
  return count >= 2 && count * 2 > pages.length ? suffix : ''
}

export const cutSuffix = (title: string, suffix: string): string =>
  suffix !== '' && title.endsWith(suffix) ? title.slice(0, -suffix.length) : title

type Context = { suffixes: { earlier: string; later: string }; moves: ReadonlyMap<string, string> }

/** Lists the parts of a page that differ. A link to a page that moved with it is the same link. */
export const findChangedParts = ({ earlier, later }: PagePair, { suffixes, moves }: Context): PagePart[] => {
  const parts: PagePart[] = []
  if (earlier.textHash !== later.textHash) parts.push('text')
  if (!isSame(earlier.headings.map(writeHeading), later.headings.map(writeHeading))) parts.push('headings')
  if (
    !isSame(
      new Set(earlier.links.map((link) => follow(link, moves))),
      new Set(later.links.map((link) => follow(link, noMoves))),
    )
  )
    parts.push('links')
  if (cutSuffix(earlier.title, suffixes.earlier) !== cutSuffix(later.title, suffixes.later)) parts.push('title')
  if (!isSame(earlier.shows, later.shows)) parts.push('files')
  return parts
}

const noMoves: ReadonlyMap<string, string> = new Map()

const writeHeading = ({ level, text, id }: BundlePage['headings'][number]) => `${level} ${id} ${text}`

const isSame = (a: Iterable<string>, b: Iterable<string>) => JSON.stringify([...a]) === JSON.stringify([...b])

const follow = (link: string, moves: ReadonlyMap<string, string>) => {
  const end = link.search(/[?#]/)
  const path = end < 0 ? link : link.slice(0, end)
  const key = toKey(path)
  return `${moves.get(key) ?? key}${end < 0 ? '' : link.slice(end)}`
}
