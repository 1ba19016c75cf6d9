import type { Artifact } from '@docket/api-types/artifacts'
import type { StaticExport } from '@docket/api-types/static-exports'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { describeMissingCopy } from '#features/records/static-exports/artifacts/artifact-labels.ts'
import { useStoreBundleNow } from '#features/records/static-exports/artifacts/artifacts.queries.ts'
import { isRunningExport, formatDomain, isStoringBundle } from '#features/records/static-exports/export-state.ts'
import { useChangeExportNote, useTreatExportStatus } from '#features/records/static-exports/static-exports.queries.ts'
import { Button } from '#ui/buttons/button.tsx'
import { useRecordRefusal, useReadOnly } from '#ui/connections/connections.tsx'
import { Panel } from '#ui/layout/page.tsx'
import { toastEnd } from '#ui/live/use-write.ts'
import { StateLabel } from '#ui/marks/state-mark.tsx'
import { RecordNote } from '#ui/records/record-note.tsx'
import { UnknownStatus } from '#ui/records/unknown-status.tsx'
import { ExportFacts } from './export-facts.tsx'
import { RunningPanel, StoringPanel } from './running-panel.tsx'
import { WhyPanel } from './why-panel.tsx'

const StoreNowButton = ({ row }: { row: StaticExport }) => {
  const store = useStoreBundleNow()
  const refused = useRecordRefusal(row)
  // Storing a bundle fetches it from the service.
  const readOnly = useReadOnly(row)
  const run = () =>
    toastEnd(
      store.mutateAsync(row.exportId),
      `Saving the bundle of ${formatDomain(row)}.`,
      `Could not save the bundle of ${formatDomain(row)}.`,
    )
  return (
    <Button busy={store.isPending} refused={readOnly ?? refused} onClick={run}>
      Save in Docket
    </Button>
  )
}

const NotStored = ({ row, artifact }: { row: StaticExport; artifact: Artifact }) => {
  const { word, message, canStore } = describeMissingCopy(artifact, row.jobId === null)
  const isUsual = artifact.reason === 'off' || artifact.reason === 'not_asked'
  return (
    <div className="text-sm">
      <StateLabel tone={isUsual ? 'idle' : 'attention'}>{word}</StateLabel>
      {message && (
        <p dir="auto" className="mt-1 wrap-anywhere">
          {message}
        </p>
      )}
      {canStore && (
        <div className="mt-3">
          <StoreNowButton row={row} />
        </div>
      )}
    </div>
  )
}

const ExportNote = ({ row }: { row: StaticExport }) => {
  const change = useChangeExportNote(row.exportId)
  const refused = useRecordRefusal(row)
  return refused !== null && !row.note ? null : (
    <RecordNote note={row.note ?? null} refused={refused} save={change.mutateAsync} plain={!row.note} />
  )
}

/** The facts, folded once the export has a result. */
const Details = ({ row }: { row: StaticExport }) => (
  <details open={row.state !== 'completed'} className="group panel px-5 py-4">
    <summary className="flex min-h-6 cursor-pointer list-none items-center gap-2 font-semibold">
      <ChevronRight className="size-4 text-muted group-open:rotate-90" aria-hidden="true" />
      Details
    </summary>
    <div className="mt-3">
      <ExportFacts row={row} />
    </div>
    {!row.note && (
      <div className="mt-4 empty:hidden">
        <ExportNote row={row} />
      </div>
    )}
  </details>
)

const UnknownStatusPanel = ({ row }: { row: StaticExport }) => (
  <Panel title="Unknown status">
    <UnknownStatus record={row} treat={useTreatExportStatus(row.exportId)} />
  </Panel>
)

/** `answers` say what a stored bundle changes and what its check found. */
export const ExportOverview = ({ row, answers }: { row: StaticExport; answers: ReactNode }) => {
  const { artifact } = row
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <WhyPanel row={row} />
      {isRunningExport(row) && (row.isUnrecognised ? <UnknownStatusPanel row={row} /> : <RunningPanel row={row} />)}
      {isStoringBundle(row) && <StoringPanel row={row} />}
      {artifact?.state === 'not_stored' && (
        <Panel title="Bundle">
          <NotStored row={row} artifact={artifact} />
        </Panel>
      )}
      {artifact?.state === 'stored' && answers}
      {row.note && <ExportNote row={row} />}
      <Details row={row} />
    </div>
  )
}
