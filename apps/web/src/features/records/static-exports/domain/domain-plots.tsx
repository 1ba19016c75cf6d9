import type { FinishedExport, StaticExportStatistics } from '@docket/api-types/static-export-statistics'
import { useNavigate } from '@tanstack/react-router'
import { buildExportLink } from '#features/records/static-exports/export-state.ts'
import { formatBytes, formatCount, formatDuration, formatInstant, formatUtc } from '#lib/text/format.ts'
import { nowMs } from '#lib/time/clock.ts'
import { Link } from '#ui/links/link.tsx'
import { BarPlot } from '#ui/plots/bar-plot.tsx'
import { outcomeLabels } from '#ui/plots/marks.tsx'
import { PointPlot, type PlotPoint } from '#ui/plots/point-plot.tsx'
import { chooseDurationTicks, chooseNumberTicks, type Ticks } from '#ui/plots/ticks.ts'
import {
  describeDays,
  describeSample,
  fillDays,
  buildOutcomesTable,
  readFigure,
  toPlotBars,
  toPlotPoints,
  type Figure,
} from './plot-values.ts'

type PlotKind = {
  title: string
  figure: Figure
  format: (value: number) => string
  ticks: Ticks
}

const kinds: readonly PlotKind[] = [
  { title: 'Duration', figure: 'durationMs', format: formatDuration, ticks: chooseDurationTicks },
  { title: 'Pages', figure: 'pageCount', format: formatCount, ticks: chooseNumberTicks },
  { title: 'Bundle size', figure: 'sizeBytes', format: formatBytes, ticks: chooseNumberTicks },
  { title: 'Broken links and outside requests', figure: 'findings', format: formatCount, ticks: chooseNumberTicks },
]

const noData: Partial<Record<Figure, string>> = {
  sizeBytes: ' Docket learns it from saved bundles and downloads.',
  findings: ' Docket learns them when it checks a saved bundle.',
}

const renderPointLink = (point: PlotPoint, className: string) => (
  <Link {...buildExportLink(point.key)} className={className} aria-label={`Open the export of ${point.reading}`} />
)

const formatFigure = (row: FinishedExport, { figure, format }: PlotKind) => {
  const value = readFigure(row, figure)
  return value === null ? null : format(value)
}

const toPlotTable = (rows: readonly FinishedExport[], kind: PlotKind) => ({
  columns: ['Started', kind.title, 'Outcome'],
  rows: rows.toReversed().map((row) => ({
    key: row.exportId,
    cells: [
      <Link
        key="started"
        {...buildExportLink(row.exportId)}
        className="inline-flex min-h-6 items-center text-accent hover:underline"
        title={formatUtc(row.startedAt)}
      >
        {formatInstant(row.startedAt)}
      </Link>,
      formatFigure(row, kind),
      row.partial ? `${outcomeLabels[row.outcome]}, some pages only` : outcomeLabels[row.outcome],
    ],
  })),
})

export const DomainPlots = ({ data }: { data: StaticExportStatistics }) => {
  const navigate = useNavigate()
  const days = fillDays(data, nowMs())
  return (
    <div className="grid gap-x-8 gap-y-6 md:grid-cols-2 xl:grid-cols-1">
      {kinds.map((kind) => {
        const points = toPlotPoints(data.exports, kind.figure, kind.format)
        const known = points.filter(({ value }) => value !== null).length
        return known < 2 ? (
          <section key={kind.figure} aria-label={kind.title}>
            <h3 className="text-sm font-medium">{kind.title}</h3>
            <p className="mt-2 text-sm text-muted">
              {known === 0 ? 'No data yet.' : 'Only one export has this so far.'}
              {noData[kind.figure]}
            </p>
          </section>
        ) : (
          <PointPlot
            key={kind.figure}
            title={kind.title}
            sample={describeSample(data.exports, kind.figure)}
            points={points}
            ticks={kind.ticks}
            format={kind.format}
            table={toPlotTable(data.exports, kind)}
            onOpen={({ key }) => void navigate(buildExportLink(key))}
            link={renderPointLink}
          />
        )
      })}
      {data.days.length > 0 && (
        <BarPlot
          title="Exports per day"
          sample={describeDays(data)}
          bars={toPlotBars(days)}
          table={buildOutcomesTable(data.days)}
        />
      )}
    </div>
  )
}
