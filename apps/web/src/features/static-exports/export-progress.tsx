import type { StaticExport } from '@docket/api-types/static-exports'
import { Fragment, type ReactNode } from 'react'
import { formatDuration, formatLeft } from '#lib/format.ts'
import { ProgressBar } from '#ui/progress-bar.tsx'
import { Ticking } from '#ui/ticking.tsx'
import { domainOf, exportFigures, exportState, isRunning } from './export-state.ts'

const Dots = ({ parts }: { parts: readonly ReactNode[] }) =>
  parts.map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <span className="text-line-strong"> · </span>}
      <span className="whitespace-nowrap">{part}</span>
    </Fragment>
  ))

const figuresOf = (row: StaticExport): ReactNode[] => {
  const parts: ReactNode[] = exportFigures(row)
  if (isRunning(row)) {
    const { expectedAt } = row
    if (expectedAt) parts.push(<Ticking text={(now) => formatLeft(expectedAt, now)} />)
  } else if (row.finishedAt && !row.imported && row.state !== 'refused') {
    parts.push(`took ${formatDuration(Date.parse(row.finishedAt) - Date.parse(row.startedAt))}`)
  }
  return parts
}

const reasonOf = (row: StaticExport): string | null => {
  if (row.replacedBy !== null) return 'Another export took its place.'
  if (row.reason !== null) return row.reason
  if (row.goneAt !== null && row.state !== 'completed') return 'The service no longer knows this job.'
  return row.state === 'unknown' ? 'No answer came to the start. It may be running.' : null
}

/** How far an export is: a bar and figures while it runs, figures or the reason when it is over. Same height in every state. */
export const ExportProgress = ({ row }: { row: StaticExport }) => {
  const { tone, word } = exportState(row)
  const figures = figuresOf(row)
  if (isRunning(row))
    return (
      <div className="flex flex-col justify-center gap-2 @4xl:min-h-10">
        <ProgressBar
          percent={row.progress}
          tone={tone}
          label={`Progress of ${domainOf(row)}`}
          text={[word, ...exportFigures(row)].join(', ')}
        />
        <p className="text-xs text-muted">
          <Dots parts={figures} />
        </p>
      </div>
    )
  const reason = reasonOf(row)
  return (
    <div className="flex flex-col justify-center text-sm @4xl:min-h-10 text-muted">
      {reason && (
        <p className="line-clamp-2 wrap-anywhere" title={reason}>
          {reason}
        </p>
      )}
      {!reason && figures.length > 0 && (
        <p>
          <Dots parts={figures} />
        </p>
      )}
    </div>
  )
}
