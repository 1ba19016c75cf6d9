import type { StaticExport } from '@docket/api-types/static-exports'
import { memo } from 'react'
import { ExportAction } from '#features/records/static-exports/actions/export-action.tsx'
import { buildExportLink } from '#features/records/static-exports/export-link.ts'
import { ExportBar, ExportFigures, findWaitReason } from '#features/records/static-exports/export-progress.tsx'
import {
  formatDomain,
  describeExportState,
  isRunningExport,
  chooseStartVerb,
} from '#features/records/static-exports/export-state.ts'
import { labelFindings } from '#features/records/static-exports/stored-label.ts'
import { formatAgo, formatInstant, formatUtc } from '#lib/text/format.ts'
import { ConnectionMark } from '#ui/connections/connection-mark.tsx'
import { Link } from '#ui/links/link.tsx'
import { Elapsed, TickingText } from '#ui/live/ticking.tsx'
import { StateLabel, toneText } from '#ui/marks/state-mark.tsx'
import { CheckedLine } from '#ui/records/checked.tsx'
import { NoteLine } from '#ui/records/note-line.tsx'
import { recordCells, recordHead, recordRow } from '#ui/records/record-row.ts'
import { ExportMenu } from './export-menu.tsx'

export const ExportHead = () => (
  <div aria-hidden="true" className={recordHead}>
    {['Site', 'State', 'Pages', 'Findings', 'Started'].map((column) => (
      <span key={column}>{column}</span>
    ))}
  </div>
)

const formatScope = ({ version, paths }: StaticExport): string => {
  const pages = paths && (paths.length === 1 ? paths[0] : `${paths.length} paths`)
  return [version, pages].filter(Boolean).join(' · ')
}

const ExportAge = ({ row, className }: { row: StaticExport; className: string }) => {
  const verb = chooseStartVerb(row)
  return (
    <span className={className} title={`${verb} ${formatInstant(row.startedAt)} · ${formatUtc(row.startedAt)}`}>
      {row.imported && `${verb.toLowerCase()} `}
      {isRunningExport(row) && !row.imported ? (
        <Elapsed from={row.startedAt} to={null} />
      ) : (
        <TickingText text={(now) => formatAgo(row.startedAt, now)} />
      )}
    </span>
  )
}

/** The cells between site and action. */
const ExportFacts = ({ row }: { row: StaticExport }) => {
  const { tone, word } = describeExportState(row)
  const isRunning = isRunningExport(row)
  const reason = findWaitReason(row)
  const found = labelFindings(row)
  // Where the row has two lines, what is wrong comes before what is normal.
  const isBad = found?.tone === 'failed' || found?.tone === 'attention'
  return (
    <>
      {isRunning ? (
        <div className={`${recordCells.state} w-24 space-y-1 @min-[35rem]:w-auto`}>
          <StateLabel tone={tone}>{word}</StateLabel>
          <ExportBar row={row} />
        </div>
      ) : (
        // Where space is short, the mark of the normal case needs no word.
        <p
          className={`${recordCells.state} ${row.state === 'completed' ? '@max-[35rem]:w-4 @max-[35rem]:overflow-hidden @max-[35rem]:*:max-w-none' : ''}`}
        >
          <StateLabel tone={tone}>{word}</StateLabel>
        </p>
      )}
      {reason !== null && (
        <p
          dir="auto"
          title={reason}
          className={`${recordCells.reason} ${isRunning ? 'col-span-3 text-attention! @5xl:col-span-1!' : ''}`}
        >
          {reason}
        </p>
      )}
      {reason === null && (
        <p
          className={`${recordCells.figures} ${isBad ? '@max-[35rem]:hidden' : ''} ${isRunning ? 'col-span-3 @min-[35rem]:col-span-1' : ''}`}
        >
          <ExportFigures row={row} />
        </p>
      )}
      {isRunning && row.jobId !== null && (
        <CheckedLine
          record={row}
          live
          className={`${recordCells.findings} text-xs text-muted @max-[35rem]:hidden @5xl:line-clamp-2 @5xl:whitespace-normal`}
        />
      )}
      {found && reason === null && (
        <p
          className={`${recordCells.findings} ${isBad ? `font-medium ${toneText[found.tone]}` : 'text-muted @max-[35rem]:hidden'}`}
        >
          {found.word}
        </p>
      )}
      <ExportAge row={row} className={`${recordCells.started} ${reason === null ? '' : '@max-[35rem]:hidden'}`} />
    </>
  )
}

export const ExportRow = memo(({ row }: { row: StaticExport }) => {
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
        {row.note && <NoteLine note={row.note} />}
        <ConnectionMark record={row} />
      </h3>
      <ExportFacts row={row} />
      <ExportAction row={row} className={recordCells.action} />
      <ExportMenu row={row} className={recordCells.menu} />
    </article>
  )
})
