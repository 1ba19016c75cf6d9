import type { StaticExport } from '@docket/api-types/static-exports'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { NotStored } from '#features/records/static-exports/artifacts/not-stored.tsx'
import { UnknownStatus } from '#ui/records/unknown-status.tsx'
import { isRunningExport } from '#features/records/static-exports/export-state.ts'
import { useChangeExportNote, useTreatExportStatus } from '#features/records/static-exports/static-exports.queries.ts'
import { isStoringBundle } from '#features/records/static-exports/stored-label.ts'
import { useRecordRefusal } from '#ui/connections/use-connections.ts'
import { Panel } from '#ui/layout/panel.tsx'
import { RecordNote } from '#ui/records/record-note.tsx'
import { ExportFacts } from './export-facts.tsx'
import { RunningPanel, StoringPanel } from './running-panel.tsx'
import { WhyPanel } from './why-panel.tsx'

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
