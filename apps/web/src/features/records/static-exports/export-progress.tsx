import type { StaticExport } from '@docket/api-types/static-exports'
import { Fragment, type ReactNode } from 'react'
import { formatDuration, formatLeft } from '#lib/text/format.ts'
import { ProgressBar } from '#ui/records/progress-bar.tsx'
import { Ticking } from '#ui/live/ticking.tsx'
import { formatDomain, exportFigures, exportState, isCancelled, isRunning } from './export-state.ts'

const whole = (text: string) => text.replaceAll(' ', '\u00a0')

const Dots = ({ parts }: { parts: readonly ReactNode[] }) =>
  parts.map((part, index) => (
    <Fragment key={index}>
      {index > 0 && ' · '}
      {typeof part === 'string' ? whole(part) : part}
    </Fragment>
  ))

const listFigures = (row: StaticExport): ReactNode[] => {
  const parts: ReactNode[] = exportFigures(row)
  if (isRunning(row)) {
    const { expectedAt } = row
    if (expectedAt) parts.push(<Ticking text={(now) => whole(formatLeft(expectedAt, now))} />)
  } else if (typeof row.durationMs === 'number') {
    parts.push(`took ${formatDuration(row.durationMs)}`)
  }
  return parts
}

const findReason = (row: StaticExport): string | null => {
  if (row.replacedBy !== null) return 'Replaced by another export.'
  if (row.reason !== null && !isCancelled(row)) return row.reason
  return row.goneAt !== null && row.state !== 'completed' ? 'The service no longer finds this job.' : null
}

type ExportProgressProps = { row: StaticExport; className?: string }

export const ExportProgress = ({ row, className = '' }: ExportProgressProps) => {
  const { tone, word } = exportState(row)
  const figures = listFigures(row)
  if (isRunning(row))
    return (
      <div
        className={`flex flex-col justify-center gap-2 @4xl:min-h-10 compact:gap-1 compact:@4xl:min-h-0 ${className}`}
      >
        <ProgressBar
          percent={row.progress}
          tone={tone}
          label={`Progress of ${formatDomain(row)}`}
          text={[word, ...exportFigures(row)].join(', ')}
        />
        <p className="text-xs text-muted compact:@4xl:truncate">
          <Dots parts={figures} />
        </p>
      </div>
    )
  const reason = findReason(row)
  if (!reason && figures.length === 0) return null
  return (
    <p
      dir="auto"
      className={`line-clamp-2 text-sm text-muted wrap-anywhere compact:@4xl:line-clamp-1 ${className}`}
      title={reason ?? undefined}
    >
      {reason ?? <Dots parts={figures} />}
    </p>
  )
}
