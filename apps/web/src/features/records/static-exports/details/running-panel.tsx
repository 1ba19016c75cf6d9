import type { StaticExport } from '@docket/api-types/static-exports'
import { useQuery } from '@tanstack/react-query'
import { describeStoringProgress } from '#features/records/static-exports/artifacts/artifact-labels.ts'
import { statisticsQuery } from '#features/records/static-exports/domain/statistics.queries.ts'
import {
  describeExportState,
  formatDomain,
  formatExportFigures,
} from '#features/records/static-exports/export-state.ts'
import { formatCount, formatDuration, formatLeft, formatRate } from '#lib/text/format.ts'
import { Panel } from '#ui/layout/page.tsx'
import { TickingText } from '#ui/live/ticking.tsx'
import { Figure } from '#ui/records/facts.tsx'
import { ProgressBar } from '#ui/records/progress-bar.tsx'
import { Usual } from '#ui/records/usual.tsx'

const StoringProgress = ({ row }: { row: StaticExport }) => {
  const { percent, words, amount } = describeStoringProgress(row.artifact ?? { progress: null })
  return (
    <div className="space-y-1.5">
      <p className="text-sm font-medium">{words}</p>
      <ProgressBar
        percent={percent}
        tone="live"
        label={`Saving the bundle of ${formatDomain(row)}`}
        text={[words, amount].filter(Boolean).join(', ')}
      />
      <p className="min-h-4 text-xs text-muted">{amount}</p>
      <p dir="auto" className="text-xs text-attention wrap-anywhere empty:hidden">
        {row.artifact?.detail}
      </p>
    </div>
  )
}

/** True when earlier durations apply to the export: they come from full exports started in this Docket. */
export const hasComparableDuration = (row: StaticExport) => !row.imported && row.paths === null

/** What the service does now. Keeps a status that Docket doesn't know. */
const describePhase = (row: StaticExport): string => {
  const { state, status, pageCount } = row
  if (state === 'starting') return 'Waiting for the service’s response'
  if (status === null) return 'Accepted by the service'
  if (status === 'queued') return 'Waiting for its turn'
  if (status !== 'running') return describeExportState(row).word
  return pageCount ? 'Exporting pages' : 'Preparing the first page'
}

/** Duration of the newest completed export of the domain; null while unknown. Milliseconds. */
const useLastDuration = (row: StaticExport): number | null => {
  const { data } = useQuery(statisticsQuery(row.domain, row.connectionId ?? ''))
  return (
    data?.exports.findLast(({ outcome, durationMs }) => outcome === 'completed' && durationMs !== null)?.durationMs ??
    null
  )
}

export const RunningPanel = ({ row }: { row: StaticExport }) => {
  const { progress, pageCount, pagesPerSecond, expectedAt } = row
  const { tone } = describeExportState(row)
  const lastMs = useLastDuration(row)
  const phase = describePhase(row)
  return (
    <Panel
      title={phase}
      action={progress !== null && <span className="text-xl font-semibold tabular-nums">{Math.floor(progress)} %</span>}
    >
      <div className="*:h-3">
        <ProgressBar
          percent={progress}
          tone={tone}
          label={`Progress of ${formatDomain(row)}`}
          text={[phase, ...formatExportFigures(row)].join(', ')}
        />
      </div>
      <dl className="mt-4 grid grid-cols-2 gap-4 sm:grid-cols-4">
        <Figure name="Pages">{pageCount === null ? null : formatCount(pageCount)}</Figure>
        <Figure name="Rate">{pagesPerSecond ? `${formatRate(pagesPerSecond)} pages/s` : null}</Figure>
        <Figure name="Time left">
          {expectedAt && <TickingText text={(now) => formatLeft(expectedAt, now).replace(/ left$/, '')} />}
        </Figure>
        <Figure name="Last export took">{lastMs === null ? null : formatDuration(lastMs)}</Figure>
      </dl>
      <p className="mt-3 text-xs text-muted empty:hidden">
        {hasComparableDuration(row) && <Usual usual={row.usual} noun="export" from={row.startedAt} to={null} />}
      </p>
    </Panel>
  )
}

export const StoringPanel = ({ row }: { row: StaticExport }) => (
  <Panel title="Saving the bundle in Docket">
    <StoringProgress row={row} />
  </Panel>
)
