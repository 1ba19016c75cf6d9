import { cutSuffix } from './page-parts.ts'
import type { PagePair } from './match-pages.ts'
import type { PagePart, SharedChange } from './site-comparison.ts'

/** Share of pages from which a change of what pages have in common is worth a line. */
const minShare = 0.05
/** Number of pages from which a part that differs on most of them is one line. */
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
}

const numbers = new Intl.NumberFormat('en')

const writeSentence = (subject: string, count: number, all: number) =>
  count === all
    ? `${subject} on ${all === 1 ? 'the only page' : `all ${numbers.format(all)} pages`}.`
    : `${subject} on ${numbers.format(count)} of ${numbers.format(all)} pages.`

export type ComparedPair = PagePair & { parts: PagePart[] }

/** Says in one line each what changed on many pages at once. */
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

/**
 * Takes a part off every page that differs in nothing else, when most pages differ in it: new rules for anchors, another host for links,
 * images in another format. Returns a line for each.
 */
export const collapseSystematicChanges = (pairs: readonly ComparedPair[]): SharedChange[] =>
  Object.entries(systematicParts).flatMap(([part, subject]): SharedChange[] => {
    const alone = pairs.filter(({ parts }) => parts.length === 1 && parts[0] === part)
    if (pairs.length < minPages || alone.length * 2 <= pairs.length) return []
    for (const pair of alone) pair.parts.length = 0
    return [{ part: 'theme', sentence: writeSentence(subject, alone.length, pairs.length) }]
  })
