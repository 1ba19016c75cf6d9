import { cpus, release, totalmem, type } from 'node:os'
import { digits, type Line, type Row } from './row.ts'

/** Result of one row, or the reason why it failed. */
export type Measured = { row: Row; lines: Line[]; failure: string | null; tookMs: number }

const verdict = ({ met }: Line) => (met === null ? '' : met ? 'yes' : '**no**')
const cells = (line: Line) => [
  line.what,
  line.docket,
  line.reference,
  line.figure === null ? '–' : digits(line.figure),
  line.bar,
  verdict(line),
]
const heads = ['What', 'Docket', 'Reference', 'Figure', 'Bar', 'Met']

/** A row as text for a terminal. */
export const asText = ({ row, lines, failure, tookMs }: Measured): string => {
  const table = [heads, ...lines.map(cells)].map((texts) => texts.map((text) => text.replaceAll('**', '')))
  const widths = heads.map((_, place) => Math.max(...table.map((texts) => texts[place]!.length)))
  const rows = table.map((texts) => `  ${texts.map((text, place) => text.padEnd(widths[place]!)).join('  ')}`.trimEnd())
  return [
    `${row.title} (${Math.round(tookMs / 1000)} s)`,
    ...rows,
    ...(failure === null ? [] : [`  failed: ${failure}`]),
    '',
  ].join('\n')
}

const asMarkdown = ({ row, lines, failure }: Measured): string => {
  const rows = lines.map((line) => `| ${cells(line).join(' | ')} |`)
  const table = [
    `| ${heads.join(' | ')} |`,
    `| ${heads.map((_, place) => (place === 3 ? '--:' : '---')).join(' | ')} |`,
    ...rows,
  ]
  return [
    `## ${row.title}`,
    '',
    row.method,
    '',
    ...(lines.length === 0 ? [] : [...table, '']),
    ...(failure === null ? [] : [`Not measured: ${failure.split('\n')[0]}`, '']),
  ].join('\n')
}

/** Breaks prose at 120 columns; tables and headings keep their lines. */
const wrap = (text: string) =>
  text
    .split('\n')
    .map((line) => (/^[|#<]/.test(line) ? line : line.replaceAll(/(.{1,120})(?: |$)/g, '$1\n').trimEnd()))
    .join('\n')

/** The whole of `docs/benchmarks.md`. */
export const page = (
  measured: readonly Measured[],
  about: { versions: Record<string, string>; date: Date; quick: boolean; loadBefore: number },
): string => {
  const [cpu] = cpus()
  const machine = `${cpus().length} × ${cpu?.model.trim() || 'CPU without a name'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${type()} ${release()}`
  const versions = Object.entries(about.versions).map(([name, version]) => `${name} ${version}`)
  const text = [
    '# Benchmarks',
    '',
    `Measured on ${about.date.toISOString().slice(0, 10)} by \`pnpm bench${about.quick ? ' --quick' : ''}\`, on ${machine}, with ${versions.join(', ')}.`,
    '',
    'Times on one machine say little about another, so we compare Docket with a reference that does the same work in the same run, taking turns. The numbers are medians of several rounds. A figure is the ratio of the two unless its row names a unit. Client, server and database share the cores.',
    '',
    ...(about.loadBefore > cpus().length ? [busy(about.loadBefore), ''] : []),
    ...measured.map(asMarkdown),
    '<!-- Written by `pnpm bench` (bench/bench.ts). -->',
    '',
  ].join('\n')
  return wrap(text)
}

const busy = (load: number) =>
  `The machine was busy with other work (load average ${digits(load)} at the start). Ratios still hold, but waits are longer than on an idle one.`
