import type { FinishedExport, StaticExportStatistics } from '@docket/api-types/static-export-statistics'
import { formatCount, formatInstant, formatPlural } from '#lib/text/format.ts'
import type { PlotBar } from '#ui/plots/bar-plot.tsx'
import { outcomeLabels } from '#ui/plots/marks.tsx'
import type { PlotTable } from '#ui/plots/plot-frame.tsx'
import type { PlotPoint } from '#ui/plots/point-plot.tsx'
import { formatUtcDay } from '#ui/plots/ticks.ts'

const dayMs = 24 * 3_600_000

type Day = StaticExportStatistics['days'][number]
export type Figure = 'durationMs' | 'pageCount' | 'sizeBytes' | 'findings'

export const readFigure = (row: FinishedExport, figure: Figure): number | null => row[figure] ?? null

const describePlotValue = (row: FinishedExport, value: string | null): string =>
  `${formatInstant(row.startedAt)}: ${[
    value,
    outcomeLabels[row.outcome].toLowerCase(),
    row.partial && 'some pages only',
  ]
    .filter(Boolean)
    .join(', ')}`

/** Points of a figure: each export that has it, and failed or lost exports without it. */
export const toPlotPoints = (
  rows: readonly FinishedExport[],
  figure: Figure,
  format: (value: number) => string,
): PlotPoint[] =>
  rows
    .map((row) => ({ row, value: readFigure(row, figure) }))
    .filter(({ row, value }) => value !== null || row.outcome !== 'completed')
    .map(({ row, value }) => ({
      key: row.exportId,
      atMs: Date.parse(row.startedAt),
      value,
      outcome: row.outcome,
      reading: describePlotValue(row, value === null ? null : format(value)),
    }))

export const describeSample = (rows: readonly FinishedExport[], figure: Figure): string => {
  const known = rows.filter((row) => readFigure(row, figure) !== null).length
  return known === rows.length
    ? `Latest ${formatPlural(known, 'export')}`
    : `${formatCount(known)} of the latest ${formatPlural(rows.length, 'export')}`
}

const nothing = {
  completed: 0,
  failed: 0,
  lost: 0,
  durationMs: { sample: 0, median: null },
  pages: { sample: 0, median: null },
}

/** Every day from `from` to the day of `nowMs`, including days without exports. */
export const fillDays = ({ from, days }: Pick<StaticExportStatistics, 'from' | 'days'>, nowMs: number): Day[] => {
  const known = new Map(days.map((day) => [Date.parse(day.day), day]))
  const first = Math.floor(Date.parse(from) / dayMs)
  const last = Math.max(first, Math.floor(nowMs / dayMs), Math.floor(Date.parse(days.at(-1)?.day ?? from) / dayMs))
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const at = (first + index) * dayMs
    return known.get(at) ?? { day: new Date(at).toISOString(), ...nothing }
  })
}

export const toPlotBars = (days: readonly Day[]): PlotBar[] =>
  days.map(({ day, completed, failed, lost }) => {
    const words = [
      formatPlural(completed, 'export') + ' completed',
      failed > 0 && `${formatCount(failed)} failed`,
      lost > 0 && `${formatCount(lost)} unknown or not found`,
    ].filter(Boolean)
    const atMs = Date.parse(day)
    return { atMs, counts: { completed, failed, lost }, reading: `${formatUtcDay(atMs)} (UTC): ${words.join(', ')}` }
  })

export const describeDays = ({ from, total }: StaticExportStatistics): string =>
  `${formatPlural(total.completed + total.failed + total.lost, 'export')} since ${formatUtcDay(Date.parse(from))} (UTC)`

export const buildOutcomesTable = (days: readonly Day[]): PlotTable => ({
  columns: ['Day (UTC)', 'Completed', 'Failed', 'Unknown or not found'],
  rows: days.toReversed().map(({ day, completed, failed, lost }) => ({
    key: day,
    cells: [formatUtcDay(Date.parse(day)), formatCount(completed), formatCount(failed), formatCount(lost)],
  })),
})
