import type { StaticExport } from '@docket/api-types/static-exports'
import type { ReactNode } from 'react'
import { ChangePanel, CheckPanel, PreviewPanel } from '#features/records/static-exports/artifacts/answers.tsx'
import { BundlePanel } from '#features/records/static-exports/artifacts/bundle-panel.tsx'
import { ExportProgress } from '#features/records/static-exports/export-progress.tsx'
import { isRunning } from '#features/records/static-exports/export-state.ts'
import { useChangeNote } from '#features/records/static-exports/static-exports.queries.ts'
import { useRecordRefusal } from '#ui/connections/use-connections.ts'
import { RecordNote } from '#ui/records/record-note.tsx'
import { Usual } from '#ui/records/usual.tsx'
import { ExportFacts, isComparable } from './export-facts.tsx'

const Progress = ({ row }: { row: StaticExport }) => (
  <div className="panel space-y-1.5 px-5 py-4 md:col-span-2">
    <ExportProgress row={row} />
    <p className="text-xs text-muted empty:hidden">
      {isComparable(row) && <Usual usual={row.usual} noun="export" from={row.startedAt} to={null} />}
    </p>
  </div>
)

const Note = ({ row }: { row: StaticExport }) => {
  const change = useChangeNote(row.exportId)
  return <RecordNote note={row.note ?? null} refused={useRecordRefusal(row)} save={change.mutateAsync} />
}

/** Progress of an export; then what `readers` of its site see, whether Docket has its bundle, whether it is whole, what changed and how it looks. */
export const ExportOverview = ({
  row,
  readers,
  hosting,
}: {
  row: StaticExport
  readers: ReactNode
  hosting: ReactNode
}) => {
  const { exportId, artifact } = row
  const isStored = artifact?.state === 'stored'
  return (
    <div className="grid grid-flow-dense grid-cols-[minmax(0,1fr)] gap-4 md:grid-cols-[repeat(2,minmax(0,1fr))]">
      {isRunning(row) && <Progress row={row} />}
      <div className="grid empty:hidden md:col-start-1 md:row-span-2">
        <BundlePanel row={row} hosting={hosting} />
      </div>
      {isStored && (
        <>
          {readers}
          <CheckPanel exportId={exportId} artifact={artifact} />
          <ChangePanel exportId={exportId} artifact={artifact} />
          <PreviewPanel exportId={exportId} artifact={artifact} />
        </>
      )}
      <div className="grid md:row-span-2">
        <ExportFacts row={row} />
      </div>
      <Note row={row} />
    </div>
  )
}
