import type { StaticExport } from '@docket/api-types/static-exports'
import { Fragment, type ReactNode } from 'react'
import { formatDuration, formatLeft } from '#lib/text/format.ts'
import { ProgressBar } from '#ui/records/progress-bar.tsx'
import { TickingText } from '#ui/live/ticking.tsx'
import {
  formatDomain,
  formatExportFigures,
  describeExportState,
  isCancelledExport,
  isRunningExport,
} from './export-state.ts'

const preventLineBreaks = (text: string) => text.replaceAll(' ', '\u00a0')

const DotSeparated = ({ parts }: { parts: readonly ReactNode[] }) =>
  parts.map((part, index) => (
    <Fragment key={index}>
      {index > 0 && ' · '}
      {typeof part === 'string' ? preventLineBreaks(part) : part}
    </Fragment>
  ))

const listFigures = (row: StaticExport): ReactNode[] => {
  const parts: ReactNode[] = formatExportFigures(row)
  if (isRunningExport(row)) {
    const { expectedAt } = row
    if (expectedAt) parts.push(<TickingText text={(now) => preventLineBreaks(formatLeft(expectedAt, now))} />)
  } else if (typeof row.durationMs === 'number') {
    parts.push(`took ${formatDuration(row.durationMs)}`)
  }
  return parts
}

const findWaitReason = (row: StaticExport): string | null => {
  if (row.replacedBy !== null) return 'Replaced by another export.'
  if (row.reason !== null && !isCancelledExport(row)) return row.reason
  return row.goneAt !== null && row.state !== 'completed' ? 'The service no longer finds this job.' : null
}

type ExportProgressProps = { row: StaticExport; className?: string }

export const ExportProgress = ({ row, className = '' }: ExportProgressProps) => {
  const { tone, word } = describeExportState(row)
  const figures = listFigures(row)
  if (isRunningExport(row))
    return (
      <div
        className={`flex flex-col justify-center gap-2 @4xl:min-h-10 compact:gap-1 compact:@4xl:min-h-0 ${className}`}
      >
        <ProgressBar
          percent={row.progress}
          tone={tone}
          label={`Progress of ${formatDomain(row)}`}
          text={[word, ...formatExportFigures(row)].join(', ')}
        />
        <p className="text-xs text-muted compact:@4xl:truncate">
          <DotSeparated parts={figures} />
        </p>
      </div>
    )
  const reason = findWaitReason(row)
  if (!reason && figures.length === 0) return null
  return (
    <p
      dir="auto"
      className={`line-clamp-2 text-sm text-muted wrap-anywhere compact:@4xl:line-clamp-1 ${className}`}
      title={reason ?? undefined}
    >
      {reason ?? <DotSeparated parts={figures} />}
    </p>
  )
}
