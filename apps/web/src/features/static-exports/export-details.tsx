import type { StaticExport } from '@docket/api-types/static-exports'
import { useQuery } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import { ApiError } from '#lib/api-error.ts'
import { usuallyText } from '#lib/durations.ts'
import { formatBytes, formatDuration, formatUtc } from '#lib/format.ts'
import { CheckedInFull } from '#ui/records/checked.tsx'
import { ConnectionMark } from '#ui/connections/connection-mark.tsx'
import { ReadOnlyNotice } from '#ui/connections/read-only.tsx'
import { useReadOnly, useRecordRefusal } from '#ui/connections/use-connections.ts'
import { Button } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { DetailsColumns } from '#ui/details-columns.tsx'
import { Fact, Facts } from '#ui/records/facts.tsx'
import { Link } from '#ui/link.tsx'
import { Notice } from '#ui/notice.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { RecordNote } from '#ui/records/record-note.tsx'
import { StaleNotice } from '#ui/records/stale-notice.tsx'
import { StateLabel } from '#ui/state-mark.tsx'
import { Ago, Elapsed, Instant } from '#ui/ticking.tsx'
import { Usual } from '#ui/records/usual.tsx'
import { usePaused } from '#ui/use-paused.ts'
import { useDismissWithUndo } from './dismiss-with-undo.ts'
import { domainLink } from './domain-link.ts'
import { ExportAction } from './export-action.tsx'
import { useExportAnnouncements } from './export-announcements.ts'
import { exportLink } from './export-link.ts'
import { ExportMenu } from './export-menu.tsx'
import { ExportProgress } from './export-progress.tsx'
import { formatDomain, exportState, isRunning, startVerb } from './export-state.ts'
import { exportQuery, useChangeNote } from './static-exports.queries.ts'

const Copied = ({ text, label }: { text: string; label: string }) => (
  <span className="inline-flex max-w-full items-center gap-1">
    <code className="min-w-0 font-mono text-xs wrap-anywhere">{text}</code>
    <CopyButton text={text} label={label} />
  </span>
)

/** For a job that is gone, the notice already says that reads fail. */
const repeatsGone = (row: StaticExport) => row.goneAt !== null && row.checkFailure?.code === 'upstream_not_found'

const Reasons = ({ row }: { row: StaticExport }) => (
  <>
    {row.reason && (row.state === 'failed' || row.state === 'refused') && (
      <Notice tone="failed" title={row.state === 'refused' ? 'Nothing was started' : 'The service could not finish it'}>
        {row.reason}
      </Notice>
    )}
    {row.goneAt && (
      <Notice tone="attention" title="The service no longer finds this job">
        Not found since <Instant at={row.goneAt} />. Docket keeps the last known state.
      </Notice>
    )}
    {row.checkFailure && row.state !== 'unknown' && !repeatsGone(row) && row.checkFailure.message !== row.reason && (
      <Notice tone="attention" title={row.jobId === null ? 'Likely cause' : 'The last check failed'}>
        {row.checkFailure.message} {row.jobId !== null && 'This is the last known state.'}
      </Notice>
    )}
    {row.state === 'unknown' && !row.replacedBy && (
      <Notice tone="attention" title="It may be running">
        {row.reason} Press Decide when you know.
      </Notice>
    )}
    {row.replacedBy && (
      <Notice tone="idle" title="Started again">
        <Link {...exportLink(row.replacedBy)} className="text-accent hover:underline">
          Open the new export
        </Link>
      </Notice>
    )}
  </>
)

/** Usual durations come from full exports that were started here. */
const isComparable = (row: StaticExport) => !row.imported && row.paths === null

const Known = ({ row }: { row: StaticExport }) => (
  <Facts>
    <Fact name="Domain">
      <Link {...domainLink(formatDomain(row))} className="text-accent hover:underline">
        {row.domain}
      </Link>
      {row.domainUnicode && <span className="text-muted"> ({row.domainUnicode})</span>}
    </Fact>
    <Fact name="Version">{row.version}</Fact>
    <Fact name="Paths">
      {row.paths ? (
        <ul className="font-mono text-xs">
          {row.paths.map((path) => (
            <li key={path}>{path}</li>
          ))}
        </ul>
      ) : (
        'All pages'
      )}
    </Fact>
    <Fact name="Job ID">{row.jobId && <Copied text={row.jobId} label="Copy job ID" />}</Fact>
    <Fact name="Service says">{row.status && <code className="font-mono text-xs">{row.status}</code>}</Fact>
    <Fact name={row.imported ? 'Tracked since' : startVerb(row)}>
      <Instant at={row.startedAt} />
    </Fact>
    <Fact name={row.finishedAt ? 'Took' : 'Running for'}>
      {typeof row.durationMs === 'number'
        ? formatDuration(row.durationMs)
        : !row.imported && isRunning(row) && <Elapsed from={row.startedAt} to={null} />}
    </Fact>
    {row.finishedAt && typeof row.durationMs === 'number' && row.state === 'completed' && isComparable(row) && (
      <Fact name="Compared">
        {usuallyText(row.usual, 'export') && (
          <Usual usual={row.usual} noun="export" from={row.startedAt} to={row.finishedAt} />
        )}
      </Fact>
    )}
    <Fact name="Ended">{row.finishedAt && <Instant at={row.finishedAt} />}</Fact>
    <Fact name="Last checked">{row.jobId && <CheckedInFull record={row} live={isRunning(row)} />}</Fact>
  </Facts>
)

const Bundle = ({ row, readOnly }: { row: StaticExport; readOnly: boolean }) =>
  row.state !== 'completed' ? null : (
    <Panel title="Bundle">
      <Facts>
        <Fact name="File">{row.bundle && <code className="font-mono text-xs">{row.bundle.fileName}</code>}</Fact>
        <Fact name="Size">
          {row.bundle?.sizeBytes === null || !row.bundle
            ? !readOnly && 'Available after the first download'
            : formatBytes(row.bundle.sizeBytes)}
        </Fact>
        <Fact name="SHA-256">
          {row.bundle?.sha256 ? (
            <Copied text={row.bundle.sha256} label="Copy SHA-256" />
          ) : (
            !readOnly && 'Available after the first full download'
          )}
        </Fact>
      </Facts>
      {!readOnly && (
        <p className="mt-4 text-xs text-muted">This download doesn’t expire: Docket requests a fresh link each time.</p>
      )}
    </Panel>
  )

const Progress = ({ row }: { row: StaticExport }) => (
  <div className="panel space-y-1.5 px-5 py-4">
    <ExportProgress row={row} />
    <p className="text-xs text-muted empty:hidden">
      {isComparable(row) && <Usual usual={row.usual} noun="export" from={row.startedAt} to={null} />}
    </p>
  </div>
)

const DismissButton = ({ row }: { row: StaticExport }) => {
  const dismiss = useDismissWithUndo()
  return (
    <Button size="md" refused={useRecordRefusal(row)} onClick={() => dismiss(row)}>
      Dismiss
    </Button>
  )
}

const Note = ({ row }: { row: StaticExport }) => {
  const change = useChangeNote(row.exportId)
  return <RecordNote note={row.note ?? null} refused={useRecordRefusal(row)} save={change.mutateAsync} />
}

type ExportDetailsProps = {
  exportId: string
  /** Phases of the export, below its progress. */
  timeline: ReactNode
  history: ReactNode
}

/** One export in full. */
export const ExportDetails = ({ exportId, timeline, history }: ExportDetailsProps) => {
  const { data: row, error, dataUpdatedAt, refetch } = useQuery(exportQuery(exportId, usePaused()))
  const readOnly = useReadOnly(row ?? {})
  useExportAnnouncements(useMemo(() => row && [row], [row]))
  if (!row && error instanceof ApiError && error.code === 'not_found')
    return (
      <>
        <PageHeader title="Export not found" />
        <p className="text-sm text-muted">It was removed, or the address is wrong.</p>
      </>
    )
  if (!row)
    return error ? (
      <StaleNotice error={error} dataUpdatedAt={0} onRetry={() => void refetch()} />
    ) : (
      <div className="space-y-4" aria-busy="true">
        <Skeleton className="h-8 w-64" />
        <Skeleton className="h-32 w-full" />
        <Skeleton className="h-64 w-full" />
      </div>
    )
  const { tone, word } = exportState(row)
  return (
    <>
      <PageHeader
        title={formatDomain(row)}
        actions={
          <>
            {readOnly === null && <ExportAction row={row} size="md" />}
            {row.needsAttention && <DismissButton row={row} />}
            <ExportMenu row={row} onPage />
          </>
        }
      >
        <span className="inline-flex flex-wrap items-center gap-x-2">
          <StateLabel tone={tone}>{word}</StateLabel>
          <span title={formatUtc(row.startedAt)}>
            {startVerb(row).toLowerCase()} <Ago at={row.startedAt} />
          </span>
          <ConnectionMark record={row} />
        </span>
      </PageHeader>
      <div className="space-y-4">
        {error && <StaleNotice error={error} dataUpdatedAt={dataUpdatedAt} onRetry={() => void refetch()} />}
        <ReadOnlyNotice record={row} />
        <Reasons row={row} />
        <DetailsColumns
          story={
            <>
              {isRunning(row) && <Progress row={row} />}
              {timeline}
            </>
          }
          facts={
            <>
              <Bundle row={row} readOnly={readOnly !== null} />
              <Panel title="Details">
                <Known row={row} />
              </Panel>
              <Note row={row} />
            </>
          }
        >
          {history}
        </DetailsColumns>
      </div>
    </>
  )
}
