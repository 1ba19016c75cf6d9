import type { StaticExport } from '@docket/api-types/static-exports'
import { useQuery } from '@tanstack/react-query'
import { useMemo, type ReactNode, useState } from 'react'
import { ExportAction } from '#features/records/static-exports/actions/export-action.tsx'
import { useExportAnnouncements } from '#features/records/static-exports/export-announcements.ts'
import { buildExportLink } from '#features/records/static-exports/export-link.ts'
import { ExportMenu } from '#features/records/static-exports/list/export-menu.tsx'
import {
  describeExportState,
  formatDomain,
  isCancelledExport,
  chooseStartVerb,
} from '#features/records/static-exports/export-state.ts'
import { exportQuery } from '#features/records/static-exports/static-exports.queries.ts'
import { labelStoredCopy } from '#features/records/static-exports/stored-label.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { formatUtc } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { ConnectionMark } from '#ui/connections/connection-mark.tsx'
import { ReadOnlyNotice } from '#ui/connections/read-only.tsx'
import { useReadOnly, useRecordRefusal } from '#ui/connections/use-connections.ts'
import { Link } from '#ui/links/link.tsx'
import { Notice } from '#ui/messages/notice.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { StaleNotice } from '#ui/records/stale-notice.tsx'
import { Loading } from '#ui/layout/skeleton.tsx'
import { StateLabel } from '#ui/marks/state-mark.tsx'
import { Ago, Instant } from '#ui/live/ticking.tsx'
import { usePaused } from '#ui/live/use-paused.ts'
import { lazyDialog } from '#ui/overlays/lazy.tsx'
import { useDismissExportWithUndo } from '#features/records/static-exports/actions/with-undo.ts'
import { useCancelRefusal } from '#features/records/static-exports/actions/use-refusals.ts'

const CancelDialog = lazyDialog(
  async () => (await import('#features/records/static-exports/actions/cancel-dialog.tsx')).CancelDialog,
)

const CancelButton = ({ row }: { row: StaticExport }) => {
  const [asking, setAsking] = useState(false)
  const refused = useCancelRefusal(row)
  return (
    <>
      {refused !== undefined && (
        <Button size="md" refused={refused} onClick={() => setAsking(true)}>
          Cancel export…
        </Button>
      )}
      {asking && <CancelDialog row={row} onClose={() => setAsking(false)} />}
    </>
  )
}

/** If the service no longer finds the job, the notice already reports the failed reads. */
const repeatsMissingJob = (row: StaticExport) => row.goneAt !== null && row.checkFailure?.code === 'upstream_not_found'

const ExportReasons = ({ row }: { row: StaticExport }) => (
  <>
    {row.reason && !isCancelledExport(row) && (row.state === 'failed' || row.state === 'refused') && (
      <Notice tone="failed" title={row.state === 'refused' ? 'Nothing was started' : 'The service could not finish it'}>
        {row.reason}
      </Notice>
    )}
    {row.goneAt && (
      <Notice tone="attention" title="The service no longer finds this job">
        Not found since <Instant at={row.goneAt} />. Docket keeps the last known state
        {row.artifact?.state === 'stored' ? ' and its own copy of the bundle.' : '.'}
      </Notice>
    )}
    {row.checkFailure &&
      row.state !== 'unknown' &&
      !repeatsMissingJob(row) &&
      row.checkFailure.message !== row.reason && (
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
        <Link {...buildExportLink(row.replacedBy)} className="text-accent hover:underline">
          Open the new export
        </Link>
      </Notice>
    )}
  </>
)

const DismissButton = ({ row }: { row: StaticExport }) => {
  const dismiss = useDismissExportWithUndo()
  return (
    <Button size="md" refused={useRecordRefusal(row)} onClick={() => dismiss(row)}>
      Dismiss
    </Button>
  )
}

const ExportHeader = ({ row, actions }: { row: StaticExport; actions: ReactNode }) => {
  const { tone, word } = describeExportState(row)
  const stored = labelStoredCopy(row)
  const readOnly = useReadOnly(row)
  return (
    <PageHeader
      title={formatDomain(row)}
      actions={
        <>
          {actions}
          {(readOnly === null || row.artifact?.state === 'stored') && <ExportAction row={row} size="md" />}
          <CancelButton row={row} />
          {row.needsAttention && <DismissButton row={row} />}
          <ExportMenu row={row} onPage />
        </>
      }
    >
      <span className="inline-flex max-w-full flex-wrap items-center gap-x-3">
        <StateLabel tone={tone}>{word}</StateLabel>
        {stored && <StateLabel tone={stored.tone}>{stored.word}</StateLabel>}
        <span title={formatUtc(row.startedAt)}>
          {chooseStartVerb(row).toLowerCase()} <Ago at={row.startedAt} />
        </span>
        {row.version && <bdi className="min-w-0 truncate">{row.version}</bdi>}
        <ConnectionMark record={row} />
      </span>
    </PageHeader>
  )
}

type ExportFrameProps = {
  exportId: string
  tabs: (row: StaticExport) => ReactNode
  actions: (row: StaticExport) => ReactNode
  children: ReactNode
}

export const ExportFrame = ({ exportId, tabs, actions, children }: ExportFrameProps) => {
  const { data: row, error, dataUpdatedAt, refetch } = useQuery(exportQuery(exportId, usePaused()))
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
      <Loading className="space-y-4" lines={['h-8 w-64', 'h-9 w-full', 'h-64 w-full']} />
    )
  return (
    <>
      <ExportHeader row={row} actions={actions(row)} />
      <div className="mb-4 space-y-4 empty:hidden">
        {error && <StaleNotice error={error} dataUpdatedAt={dataUpdatedAt} onRetry={() => void refetch()} />}
        <ReadOnlyNotice record={row} />
        <ExportReasons row={row} />
      </div>
      {tabs(row)}
      {children}
    </>
  )
}
