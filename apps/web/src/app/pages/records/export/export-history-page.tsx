import { isRunningExport, isStoringBundle } from '#features/records/static-exports/export-state.ts'
import { ExportTimeline } from '#features/service/history/export-timeline.tsx'
import { RecordHistory } from '#features/service/history/record-history.tsx'
import { useExport } from './use-export.ts'

export const ExportHistoryPage = () => {
  const row = useExport()
  if (!row) return null
  const isLive = isRunningExport(row) || isStoringBundle(row)
  return (
    <div className="grid max-w-4xl grid-cols-[minmax(0,1fr)] gap-4">
      <ExportTimeline exportId={row.exportId} live={isLive} />
      <RecordHistory
        record={{ type: 'static_export', exportId: row.exportId }}
        subject="export"
        live={isLive}
        stamp={`${row.state} ${row.status} ${row.goneAt} ${row.artifact?.state}`}
      />
    </div>
  )
}
