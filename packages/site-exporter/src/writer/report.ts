import type { NoteKind } from '#markdown/page-notes.ts'

/** Remark in the report. */
export type ReportLine = { page: string | null; file: string; kind: NoteKind | 'not-a-page'; what: string }

/** Longest report; counts cover all lines. */
const maxLines = 20_000
const shortened = (text: string) => (text.length > 500 ? `${text.slice(0, 499).toWellFormed()}…` : text)

/** Formats `export-report.json`, deterministically. */
export const reportJson = (report: {
  domain: string
  version: string | null
  pages: number
  lines: readonly ReportLine[]
}) => {
  const { lines, ...head } = report
  const counts: Record<string, number> = {}
  for (const { kind } of lines) counts[kind] = (counts[kind] ?? 0) + 1
  const visible = lines
    .slice(0, maxLines)
    .map((line) => ({ ...line, file: shortened(line.file), what: shortened(line.what) }))
  const more = lines.length > visible.length && { linesLeftOut: lines.length - visible.length }
  return `${JSON.stringify({ ...head, counts, ...more, lines: visible }, null, 1)}\n`
}
