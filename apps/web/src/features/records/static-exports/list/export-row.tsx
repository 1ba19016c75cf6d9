import type { StaticExport } from '@docket/api-types/static-exports'
import { memo, use } from 'react'
import { ExportAction } from '#features/records/static-exports/actions/export-action.tsx'
import { ExportBar, ExportFigures, findWaitReason } from '#features/records/static-exports/export-progress.tsx'
import {
  buildExportLink,
  formatDomain,
  describeExportState,
  isRunningExport,
  chooseStartVerb,
  labelFindings,
} from '#features/records/static-exports/export-state.ts'
import { formatAgo, formatInstant, formatUtc } from '#lib/text/format.ts'
import { ConnectionMark } from '#ui/connections/connections.tsx'
import { Link } from '#ui/links/link.tsx'
import { Elapsed, TickingText } from '#ui/live/ticking.tsx'
import { StateLabel, toneText } from '#ui/marks/state-mark.tsx'
import { CheckedLine } from '#ui/records/checked.tsx'
import { NoteLine } from '#ui/records/note-line.tsx'
import { MarksContext } from './export-marks.ts'
import { ExportMenu } from './export-menu.tsx'

export const ExportHead = () => (
  <div aria-hidden="true" className="hidden list-row min-h-6! export-row text-xs text-muted @5xl:grid">
    {['Site', 'State', 'Pages', 'Findings', 'Started'].map((column) => (
      <span key={column}>{column}</span>
    ))}
  </div>
)

const formatScope = ({ version, paths }: StaticExport): string => {
  const pages = paths && (paths.length === 1 ? paths[0] : `${paths.length} paths`)
  return [version, pages].filter(Boolean).join(' · ')
}

const ExportAge = ({ row }: { row: StaticExport }) => {
  const { startedAt, startedBy } = row
  const verb = chooseStartVerb(row)
  const title = [
    `${verb} ${formatInstant(startedAt)} · ${formatUtc(startedAt)}`,
    startedBy && `${verb} by ${startedBy}`,
  ]
  return (
    <span className="truncate text-xs text-muted [grid-area:age] @5xl:text-sm" title={title.filter(Boolean).join('\n')}>
      {isRunningExport(row) && !row.imported && !row.isUnrecognised ? (
        <Elapsed from={startedAt} to={null} />
      ) : (
        <TickingText text={(now) => formatAgo(startedAt, now)} />
      )}
      {row.imported && ` · ${verb.toLowerCase()}`}
      {startedBy && (
        <span className="@max-[35rem]:hidden">
          {row.imported ? ' by ' : ' · '}
          <bdi>{startedBy}</bdi>
        </span>
      )}
    </span>
  )
}

/** Where there is room, over the place of figures and findings. */
const reasonArea = '@min-[35rem]:[grid-area:figures-start/figures-start/findings-end/findings-end]'

const findingsArea = 'min-w-0 truncate [grid-area:figures] @min-[35rem]:[grid-area:findings]'

/** The cells between state and age. Where both share one place, what is wrong comes before what is normal. */
const ExportResult = ({ row }: { row: StaticExport }) => {
  const isRunning = isRunningExport(row)
  const reason = findWaitReason(row)
  const found = labelFindings(row)
  const isBad = found?.tone === 'failed' || found?.tone === 'attention'
  const isAlone = reason !== null && !isRunning
  return (
    <>
      {reason !== null && (
        <p
          dir="auto"
          title={reason}
          className={`line-clamp-2 min-w-0 text-xs wrap-anywhere [grid-area:reason] @max-[35rem]:mb-2 ${isAlone ? `text-muted ${reasonArea}` : 'text-attention @min-[35rem]:line-clamp-1 @min-[35rem]:[grid-area:figures] @5xl:line-clamp-2'}`}
        >
          {reason}
        </p>
      )}
      {reason === null && (
        <p
          className={`min-w-0 truncate text-muted [grid-area:figures] @max-[35rem]:text-xs ${isBad ? '@max-[35rem]:hidden' : ''}`}
        >
          <ExportFigures row={row} />
        </p>
      )}
      {isRunning && row.jobId !== null && (
        <CheckedLine
          record={row}
          className={`text-xs text-muted @max-[35rem]:hidden @5xl:line-clamp-2 @5xl:whitespace-normal ${findingsArea}`}
        />
      )}
      {found && !isAlone && (
        <p
          className={`${findingsArea} ${isBad ? `font-medium ${toneText[found.tone]}` : 'text-muted @max-[35rem]:hidden'}`}
        >
          {found.word}
        </p>
      )}
    </>
  )
}

export const ExportRow = memo(({ row }: { row: StaticExport }) => {
  const { tone, word } = describeExportState(row)
  const scope = formatScope(row)
  const marks = use(MarksContext).get(row.exportId)
  return (
    <article aria-label={`Export of ${formatDomain(row)}`} data-record={row.exportId} className="list-row export-row">
      <h3 className="flex min-w-0 items-baseline gap-x-2 text-base leading-6 font-semibold [grid-area:title]">
        <Link
          {...buildExportLink(row.exportId)}
          className="min-w-0 truncate underline-offset-2 hover:underline"
          title={row.domain}
        >
          {formatDomain(row)}
        </Link>
        {marks?.map((mark) => (
          <span
            key={mark}
            className={`shrink-0 rounded-sm px-1 text-xs font-medium ${mark === 'Live' ? 'bg-done-soft text-done' : 'bg-idle-soft text-muted'}`}
          >
            {mark}
          </span>
        ))}
        {scope && <span className="max-w-32 shrink-50 truncate text-xs font-normal text-muted">{scope}</span>}
        {row.note && <NoteLine note={row.note} />}
        <ConnectionMark record={row} />
      </h3>
      {isRunningExport(row) ? (
        <div className="w-24 space-y-0.5 leading-4 [grid-area:state] @min-[35rem]:w-auto">
          <StateLabel tone={tone}>{word}</StateLabel>
          {!row.isUnrecognised && <ExportBar row={row} />}
        </div>
      ) : (
        // Where space is short, the mark of the normal case needs no word.
        <p
          className={`min-w-0 truncate [grid-area:state] ${row.state === 'completed' ? '@max-[35rem]:w-4 @max-[35rem]:*:max-w-none' : ''}`}
        >
          <StateLabel tone={tone}>{word}</StateLabel>
        </p>
      )}
      <ExportResult row={row} />
      <ExportAge row={row} />
      <ExportAction row={row} className="max-w-full justify-self-end [grid-area:action]" />
      <ExportMenu row={row} className="justify-self-end [grid-area:menu]" />
    </article>
  )
})
