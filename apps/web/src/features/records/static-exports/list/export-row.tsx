import type { StaticExport } from '@docket/api-types/static-exports'
import { memo } from 'react'
import { ExportAction } from '#features/records/static-exports/actions/export-action.tsx'
import { buildExportLink } from '#features/records/static-exports/export-link.ts'
import { ExportProgress } from '#features/records/static-exports/export-progress.tsx'
import {
  formatDomain,
  describeExportState,
  isRunningExport,
  chooseStartVerb,
} from '#features/records/static-exports/export-state.ts'
import { labelStoredCopy } from '#features/records/static-exports/stored-label.ts'
import { formatAgo, formatInstant, formatUtc } from '#lib/text/format.ts'
import { ConnectionMark } from '#ui/connections/connection-mark.tsx'
import { Link } from '#ui/links/link.tsx'
import { Elapsed, TickingText } from '#ui/live/ticking.tsx'
import { StateLabel, toneText, type Tone } from '#ui/marks/state-mark.tsx'
import { CheckedLine } from '#ui/records/checked.tsx'
import { NoteLine } from '#ui/records/note-line.tsx'
import { recordCells, recordRow } from '#ui/records/record-row.ts'
import { ExportMenu } from './export-menu.tsx'

const formatScope = ({ version, paths }: StaticExport): string => {
  const pages = paths && (paths.length === 1 ? paths[0] : `${paths.length} paths`)
  return [version, pages].filter(Boolean).join(' · ')
}

const ExportAge = ({ row }: { row: StaticExport }) => (
  <span
    className="min-w-0 truncate"
    title={`${chooseStartVerb(row)} ${formatInstant(row.startedAt)} · ${formatUtc(row.startedAt)}`}
  >
    {isRunningExport(row) && !row.imported ? (
      <Elapsed from={row.startedAt} to={null} />
    ) : (
      <>
        <span className="compact:@4xl:hidden">{`${chooseStartVerb(row).toLowerCase()} `}</span>
        <TickingText text={(now) => formatAgo(row.startedAt, now)} />
      </>
    )}
  </span>
)

const StoredMark = ({ tone, word }: { tone: Tone; word: string }) => (
  <span
    className={`shrink-0 text-sm ${tone === 'done' || tone === 'idle' ? 'text-muted' : `font-medium ${toneText[tone]}`}`}
  >
    {word}
  </span>
)

const RowMiddle = ({ row }: { row: StaticExport }) => {
  const { note } = row
  const checkFailure = row.jobId === null ? null : row.checkFailure
  const stored = labelStoredCopy(row)
  if (checkFailure === null && !note && !stored) return <ExportProgress row={row} className={recordCells.middle} />
  return (
    <div className={recordCells.middle}>
      <div className="flex flex-wrap items-baseline gap-x-3 compact:@4xl:flex-nowrap">
        <ExportProgress row={row} className={stored ? 'min-w-0' : 'w-full'} />
        {stored && <StoredMark {...stored} />}
      </div>
      {checkFailure && (
        <p dir="auto" className="line-clamp-2 text-xs text-attention wrap-anywhere" title={checkFailure.message}>
          {checkFailure.message}
        </p>
      )}
      {note && <NoteLine note={note} />}
    </div>
  )
}

export const ExportRow = memo(({ row, mark = '' }: { row: StaticExport; mark?: string }) => {
  const { tone, word } = describeExportState(row)
  const scope = formatScope(row)
  return (
    <article aria-label={`Export of ${formatDomain(row)}`} data-record={row.exportId} className={recordRow}>
      <h3 className={recordCells.title}>
        <Link
          {...buildExportLink(row.exportId)}
          className="min-w-0 truncate underline-offset-2 hover:underline"
          title={row.domain}
        >
          {formatDomain(row)}
        </Link>
        {scope && <span className="max-w-32 shrink-0 truncate text-xs font-normal text-muted">{scope}</span>}
        {mark && <span className="shrink-0 text-xs font-medium text-done">{mark}</span>}
        <ConnectionMark record={row} />
      </h3>
      <p className={recordCells.state}>
        <StateLabel tone={tone}>{word}</StateLabel>
        <ExportAge row={row} />
      </p>
      <RowMiddle row={row} />
      {row.jobId !== null && <CheckedLine record={row} live={isRunningExport(row)} className={recordCells.checks} />}
      <ExportAction row={row} className={recordCells.action} />
      <ExportMenu row={row} className={recordCells.menu} />
    </article>
  )
})
