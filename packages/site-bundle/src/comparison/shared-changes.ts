import type { BundlePage } from '#manifest.ts'
import { type PagePair, toKey } from './match-pages.ts'
import type { PagePart, SharedChange } from './site-comparison.ts'

const minShare = 0.05
const minPages = 10

const sharedParts = ['navigation', 'header', 'footer', 'theme'] as const
const subjects = {
  navigation: 'The navigation changed',
  header: 'The header changed',
  footer: 'The footer changed',
  theme: 'The theme changed',
} as const

/** Parts that a generator changes on every page at once, without a change of the text. */
const systematicParts = {
  headings: 'The anchors of headings changed',
  links: 'Links changed',
  files: 'Shown files changed',
  details: 'Descriptions or states of elements changed',
}

const numbers = new Intl.NumberFormat('en')

const writeSentence = (subject: string, count: number, all: number) =>
  count === all
    ? `${subject} on ${all === 1 ? 'the only page' : `all ${numbers.format(all)} pages`}.`
    : `${subject} on ${numbers.format(count)} of ${numbers.format(all)} pages.`

/** `details` are what the text doesn't tell. People see them as a change of the text. */
export type ComparedPart = PagePart | 'details'
export type ComparedPair = PagePair & { parts: ComparedPart[] }

export const findSharedChanges = (
  pairs: readonly ComparedPair[],
  suffixes: { earlier: string; later: string },
): SharedChange[] => {
  const changes = sharedParts.flatMap((part): SharedChange[] => {
    const count = pairs.filter(({ earlier, later }) => earlier.shared[part] !== later.shared[part]).length
    return count === 0 || count < pairs.length * minShare
      ? []
      : [{ part, sentence: writeSentence(subjects[part], count, pairs.length) }]
  })
  if (suffixes.earlier !== suffixes.later && pairs.length > 0)
    changes.push({ part: 'header', sentence: writeSuffix(suffixes) })
  return changes
}

const writeSuffix = ({ earlier, later }: { earlier: string; later: string }) => {
  const name = (suffix: string) => `“${cutSuffix(suffix, '').replace(/^\s\S+\s/, '')}”`
  if (earlier === '') return `Titles end with ${name(later)} now.`
  if (later === '') return `Titles no longer end with ${name(earlier)}.`
  return `Titles end with ${name(later)} instead of ${name(earlier)}.`
}

/** Collapses changes such as new rules for anchors or another host for links, and returns a line for each. */
export const collapseSystematicChanges = (pairs: readonly ComparedPair[]): SharedChange[] =>
  Object.entries(systematicParts).flatMap(([part, subject]): SharedChange[] => {
    const alone = pairs.filter(({ parts }) => parts.length === 1 && parts[0] === part)
    if (pairs.length < minPages || alone.length * 2 <= pairs.length) return []
    for (const pair of alone) pair.parts.length = 0
    return [{ part: 'theme', sentence: writeSentence(subject, alone.length, pairs.length) }]
  })

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
export const findChangedParts = ({ earlier, later }: PagePair, { suffixes, moves }: Context): ComparedPart[] => {
  const parts: ComparedPart[] = []
  if (earlier.textHash !== later.textHash) parts.push('text')
  else if ((earlier.details ?? later.details) !== (later.details ?? earlier.details)) parts.push('details')
  if (!isSame(earlier.headings.map(writeHeading), later.headings.map(writeHeading))) parts.push('headings')
  const follow = (links: readonly string[], by = noMoves) => new Set(links.map((link) => followMoves(link, by)))
  if (!isSame(follow(earlier.links, moves), follow(later.links))) parts.push('links')
  if (cutSuffix(earlier.title, suffixes.earlier) !== cutSuffix(later.title, suffixes.later)) parts.push('title')
  if (!isSame(earlier.shows, later.shows)) parts.push('files')
  return parts
}

const noMoves: ReadonlyMap<string, string> = new Map()

const writeHeading = ({ level, text, id }: BundlePage['headings'][number]) => `${level} ${id} ${text}`

const isSame = (a: Iterable<string>, b: Iterable<string>) => JSON.stringify([...a]) === JSON.stringify([...b])

const followMoves = (link: string, moves: ReadonlyMap<string, string>) => {
  const end = link.search(/[?#]/)
  const path = end < 0 ? link : link.slice(0, end)
  const key = toKey(path)
  return `${moves.get(key) ?? key}${end < 0 ? '' : link.slice(end)}`
}
