import type { Findings } from './collect-findings.ts'

/** Remarks of `export-report.json`, as Docket's own exporter writes them. Others have the same fields or are left out. */
type Remark = { page?: unknown; file?: unknown; kind?: unknown; what?: unknown }

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)

const words: Readonly<Record<string, string>> = {
  'left-out': 'The export left something out',
  'broken-link': 'The source has a broken link',
  'broken-anchor': 'The source links to a part of a page that is missing',
  'missing-file': 'A file is missing in the source',
  'not-understood': 'The export didn’t understand something',
  'not-a-page': 'The export left out a file that is no page',
}

/** Adds what the service itself reported about the bundle. It is about the source, so it only notes. */
export const addServiceReport = (
  content: string,
  { add, toPage }: { add: Findings['addReported']; toPage: (name: string) => string | null },
): void => {
  let lines: unknown
  try {
    lines = (JSON.parse(content) as { lines?: unknown } | null)?.lines
  } catch {
    return
  }
  if (!Array.isArray(lines)) return
  for (const line of lines as (Remark | null)[]) {
    const [rule, what] = [text(line?.kind), text(line?.what)]
    if (rule === null || what === null) continue
    const file = text(line?.file) ?? ''
    const page = text(line?.page)
    add(
      { rule: rule.slice(0, 60), sentence: `${words[rule] ?? 'The service reported'}: ${what}`, target: what },
      { page: page === null ? null : toPage(page), path: file.slice(0, 1_000) },
    )
  }
}
