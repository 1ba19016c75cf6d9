import type { NoteKind } from '#markdown/page-notes.ts'
import type { SourceSite } from '#readers/source-site.ts'
import { hiddenSentences, type HiddenReason } from '#site/hidden.ts'

/** Names hidden pages in the report and counts them by reason. */
export const reportHidden = (
  { pages, hidden }: SourceSite,
  leave: (file: string, what: string, kind: NoteKind | 'not-a-page') => void,
): { hiddenPages?: Readonly<Record<string, number>> } => {
  const counts: Partial<Record<HiddenReason, number>> = {}
  for (const { hidden: reason } of [...hidden.values(), ...pages.values()]) {
    if (reason === null) continue
    counts[reason] = (counts[reason] ?? 0) + 1
  }
  for (const { file, hidden: reason } of hidden.values())
    leave(file, `hidden: ${hiddenSentences[reason!]}`, 'not-a-page')
  for (const { file, hidden: reason } of pages.values())
    if (reason !== null)
      leave(file, `from navigation, search and site map: ${hiddenSentences[reason]}; its address works`, 'left-out')
  return Object.keys(counts).length > 0 ? { hiddenPages: counts } : {}
}
