import type { DiffLine } from '@docket/api-types/changes'

/** A row with a line before and after; `hunk` is the header between two parts of a file. */
export type SideBySideRow = { hunk: DiffLine } | { before: DiffLine | null; after: DiffLine | null }

export const toSideBySideRows = (lines: readonly DiffLine[]): SideBySideRow[] => {
  const rows: SideBySideRow[] = []
  let removed: DiffLine[] = []
  let added: DiffLine[] = []
  const flush = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1)
      rows.push({ before: removed[at] ?? null, after: added[at] ?? null })
    removed = []
    added = []
  }
  for (const line of lines) {
    if (line.kind === 'added') added.push(line)
    else if (line.kind === 'removed') {
      // Removed lines come before the added ones that replace them.
      if (added.length > 0) flush()
      removed.push(line)
    } else {
      // Git's remark about a missing line feed comes between the removed and the added line.
      if (line.kind === 'same' && isGitRemark(line) && removed.length > 0 && added.length === 0) continue
      flush()
      rows.push(line.kind === 'hunk' ? { hunk: line } : { before: line, after: line })
    }
  }
  flush()
  return rows
}

/** True for a remark of git about the previous line, which is not a line of the file. */
export const isGitRemark = ({ kind, before, after }: DiffLine): boolean =>
  kind === 'same' && before === null && after === null

export const formatLineText = (line: DiffLine): string =>
  line.kind === 'hunk' ? line.text : isGitRemark(line) ? line.text.replace(/^\\ /, '') : line.text.slice(1)
