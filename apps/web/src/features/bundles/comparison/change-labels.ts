import type { BlockChange, ChangedPage, Comparison, PageChangeKind } from '@docket/api-types/comparisons'
import { capitalize, formatCount, formatInstant, formatPlural } from '#lib/text/format.ts'

export const kindLabels: Record<PageChangeKind, { word: string; sign: string; look: string }> = {
  changed: { word: 'Changed', sign: '~', look: 'text-live' },
  added: { word: 'Added', sign: '+', look: 'text-done' },
  moved: { word: 'Moved', sign: '→', look: 'text-attention' },
  removed: { word: 'Removed', sign: '−', look: 'text-failed' },
}

const partLabels: Record<ChangedPage['parts'][number], string> = {
  text: 'text',
  headings: 'headings',
  links: 'links',
  title: 'title',
  files: 'files it shows',
}

/** Parts of a page that differ: `Text, headings`. */
export const formatParts = (parts: ChangedPage['parts']): string => {
  const words = parts.map((part) => partLabels[part]).join(', ')
  return capitalize(words)
}

export const sharedLabels: Record<Comparison['shared'][number]['part'], string> = {
  navigation: 'Navigation',
  header: 'Header',
  footer: 'Footer',
  theme: 'Theme',
}

/** Names an artifact by its time, version and size: `21 Nov 2026, 03:52 CET · v2 · 14 pages`. */
export const formatCompared = ({ startedAt, version, pages }: Comparison['earlier']): string =>
  [formatInstant(startedAt), version, formatPlural(pages, 'page')]
    .filter((text) => text !== null && text !== '')
    .join(' · ')

/** Changes to files other than pages: `2 added, 1 removed`; null when there are none. */
export const formatFileChanges = (files: Comparison['files']): string | null => {
  const counts = (['added', 'removed', 'changed'] as const).flatMap((kind) =>
    files[kind] > 0 ? [`${formatPlural(files[kind], 'file')} ${kind}`] : [],
  )
  return counts.length > 0 ? counts.join(', ') : null
}

/** Word runs of a block on one side of a comparison; empty if this side lacks the block. */
export const pickSide = (runs: BlockChange['runs'], side: 'before' | 'after'): BlockChange['runs'] => {
  const other = side === 'before' ? 'added' : 'removed'
  return runs.filter(({ kind }) => kind !== other)
}

/** Pages that differ, in words: `2 added, 1 changed`; `No page changed` for none. */
export const formatChanges = ({ added, removed, changed, moved }: Comparison['counts']): string =>
  Object.entries({ added, removed, changed, moved })
    .filter(([, count]) => count > 0)
    .map(([word, count]) => `${formatCount(count)} ${word}`)
    .join(', ') || 'No page changed'
