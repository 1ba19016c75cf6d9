import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cut } from '@docket/sources/text'

export type ReportLine = {
  page: string | null
  file: string
  kind: 'left-out' | 'broken-link' | 'broken-anchor' | 'missing-file' | 'not-understood' | 'not-a-page'
  what: string
  /** The bundle has the fault itself, so its check finds it. */
  inBundle?: boolean
}

/** Maximum lines of the report; its counts cover all lines. */
const maxLines = 20_000

export const formatReport = (report: {
  domain: string
  version: string | null
  pages: number
  hiddenPages?: Readonly<Record<string, number>>
  /** Sizes of the files for formulas, diagrams and icons, which can be large. */
  added: readonly { file: string; bytes: number }[]
  /** Number of uses of files that were not copied from other hosts, by host. */
  otherHosts: Readonly<Record<string, number>>
  lines: readonly ReportLine[]
}): string => {
  const { lines, ...head } = report
  const counts: Record<string, number> = {}
  for (const { kind } of lines) counts[kind] = (counts[kind] ?? 0) + 1
  const visible = lines
    .slice(0, maxLines)
    .map((line) => ({ ...line, file: cut(line.file, 500), what: cut(line.what, 500) }))
  const more = lines.length > visible.length && { linesLeftOut: lines.length - visible.length }
  return `${JSON.stringify({ ...head, counts, ...more, lines: visible }, null, 1)}\n`
}

/** Writes files below `target`. Synchronous, because a hop to another thread costs more than a small file. */
export const createFileWriter = (target: string) => {
  const made = new Set<string>()
  return (file: string, content: string | Buffer): void => {
    const path = join(target, file)
    const folder = dirname(path)
    if (!made.has(folder)) mkdirSync(folder, { recursive: true })
    made.add(folder)
    writeFileSync(path, content)
  }
}
