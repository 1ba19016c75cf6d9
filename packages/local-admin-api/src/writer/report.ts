import type { NoteKind } from '#markdown/page-notes.ts'

/** A remark of the report: what of the source is not in the bundle, or was broken there already. */
export type ReportLine = { page: string | null; file: string; kind: NoteKind | 'not-a-page'; what: string }

/** Content of `export-report.json`. Same source, same text. */
export const reportJson = (report: {
  domain: string
  version: string | null
  pages: number
  lines: readonly ReportLine[]
}) => {
  const { lines, ...head } = report
  const counts: Record<string, number> = {}
  for (const { kind } of lines) counts[kind] = (counts[kind] ?? 0) + 1
  return `${JSON.stringify({ ...head, counts, lines }, null, 1)}\n`
}
