import type { StaticExport } from '@docket/api-types/static-exports'
import { Fragment, type ReactNode } from 'react'
import { formatCount, formatLeft } from '#lib/text/format.ts'
import { TickingText } from '#ui/live/ticking.tsx'
import { ProgressBar } from '#ui/records/progress-bar.tsx'
import {
  formatDomain,
  formatExportFigures,
  describeExportState,
  isCancelledExport,
  isRunningExport,
} from './export-state.ts'

const preventLineBreaks = (text: string) => text.replaceAll(' ', '\u00a0')

const formatChange = ({ artifact }: StaticExport): string[] => {
  if (!artifact?.change) return []
  const { added, removed, changed, moved } = artifact.change
  const all = added + removed + changed + moved
  return [all === 0 ? 'no change' : `${formatCount(all)} changed`]
}

/** Pages, and while it runs progress and time left; at the end the pages that changed. Renders nothing where nothing is known. */
export const ExportFigures = ({ row }: { row: StaticExport }) => {
  const parts: ReactNode[] = formatExportFigures(row)
  const { expectedAt } = row
  if (!isRunningExport(row)) parts.push(...formatChange(row))
  else if (expectedAt) parts.push(<TickingText text={(now) => preventLineBreaks(formatLeft(expectedAt, now))} />)
  return parts.map((part, index) => (
    <Fragment key={index}>
      {index > 0 && ' · '}
      {typeof part === 'string' ? preventLineBreaks(part) : part}
    </Fragment>
  ))
}

/** Why an export did not end well, or its last check failed. Null when all is well. */
export const findWaitReason = (row: StaticExport): string | null => {
  if (isRunningExport(row) && row.checkFailure !== null) return row.jobId === null ? null : row.checkFailure.message
  if (isRunningExport(row))
    return row.isUnrecognised ? 'Docket doesn’t know this status. Open the export to say what it means.' : null
  if (row.replacedBy !== null) return 'Replaced by another export.'
  return row.reason === null || isCancelledExport(row) ? null : row.reason
}

export const ExportBar = ({ row }: { row: StaticExport }) => {
  const { tone, word } = describeExportState(row)
  return (
    <ProgressBar
      percent={row.progress}
      tone={tone}
      label={`Progress of ${formatDomain(row)}`}
      text={[word, ...formatExportFigures(row)].join(', ')}
    />
  )
}
