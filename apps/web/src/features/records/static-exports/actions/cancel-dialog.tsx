import type { StaticExport } from '@docket/api-types/static-exports'
import { formatDomain, isRunningExport } from '#features/records/static-exports/export-state.ts'
import { useCancelExport } from '#features/records/static-exports/static-exports.queries.ts'
import { DeleteDialog } from '#ui/overlays/dialog.tsx'

export const CancelDialog = ({ row, onClose }: { row: StaticExport; onClose: () => void }) => {
  const cancel = useCancelExport()
  const isOver = !isRunningExport(row)
  return (
    <DeleteDialog
      title="Cancel this export?"
      action="Cancel export"
      keep={isOver ? 'Close' : 'Keep it running'}
      refused={isOver ? 'This export is over.' : null}
      failure="Not cancelled"
      deletion={cancel}
      onDelete={() => cancel.mutateAsync(row.exportId)}
      message={`Cancelled the export of ${formatDomain(row)}.`}
      onClose={onClose}
    >
      <p className="text-muted">
        The service stops exporting <bdi className="text-text">{formatDomain(row)}</bdi>. Pages that are already written
        are lost, and there will be no bundle.
      </p>
    </DeleteDialog>
  )
}
