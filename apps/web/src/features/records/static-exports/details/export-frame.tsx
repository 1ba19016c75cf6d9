import type { StaticExport } from '@docket/api-types/static-exports'
import { useQuery } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import { useExportAnnouncements } from '#features/records/static-exports/export-announcements.ts'
import {
  buildExportLink,
  describeExportState,
  formatDomain,
  chooseStartVerb,
  isRunningExport,
} from '#features/records/static-exports/export-state.ts'
import { exportQuery } from '#features/records/static-exports/static-exports.queries.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { formatUtc } from '#lib/text/format.ts'
import { ConnectionMark } from '#ui/connections/connections.tsx'
import { ReadOnlyNotice } from '#ui/connections/read-only.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { ReadState, Loading } from '#ui/layout/page.tsx'
import { Link } from '#ui/links/link.tsx'
import { Ago, Instant, usePaused } from '#ui/live/ticking.tsx'
import { StateLabel } from '#ui/marks/state-mark.tsx'
import { Notice } from '#ui/messages/notice.tsx'

const ExportReasons = ({ row }: { row: StaticExport }) => (
  <>
    {row.goneAt && row.state === 'completed' && row.artifact?.state !== 'stored' && (
      <Notice tone="attention" title="The service no longer finds this job">
        Not found since <Instant at={row.goneAt} />. Docket hasn’t saved the bundle.
      </Notice>
    )}
    {row.checkFailure && isRunningExport(row) && (
      <Notice tone="attention" title={row.jobId === null ? 'Likely cause' : 'The last check failed'}>
        {row.checkFailure.message} {row.jobId !== null && 'This is the last known state.'}
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

const ExportHeader = ({ row, actions }: { row: StaticExport; actions: ReactNode }) => {
  const { tone, word } = describeExportState(row)
  return (
    <PageHeader title={formatDomain(row)} actions={actions}>
      <span className="inline-flex max-w-full flex-wrap items-center gap-x-3">
        <StateLabel tone={tone}>{word}</StateLabel>
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
  const query = useQuery(exportQuery(exportId, usePaused()))
  const { data: row, error } = query
  useExportAnnouncements(useMemo(() => row && [row], [row]))
  if (!row && error instanceof ApiError && error.code === 'not_found')
    return (
      <>
        <PageHeader title="Export not found" />
        <p className="text-sm text-muted">It was removed, or the address is wrong.</p>
      </>
    )
  if (!row)
    return (
      <ReadState
        query={query}
        waiting={<Loading className="space-y-4" lines={['h-8 w-64', 'h-9 w-full', 'h-64 w-full']} />}
      />
    )
  return (
    <>
      <ExportHeader row={row} actions={actions(row)} />
      <div className="mb-4 space-y-4 empty:hidden">
        <ReadState query={query} />
        <ReadOnlyNotice record={row} />
        <ExportReasons row={row} />
      </div>
      {tabs(row)}
      {children}
    </>
  )
}
