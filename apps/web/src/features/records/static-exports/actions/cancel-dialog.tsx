import type { StaticExport } from '@docket/api-types/static-exports'
import { formatDomain, isRunningExport } from '#features/records/static-exports/export-state.ts'
import { useCancelExport } from '#features/records/static-exports/static-exports.queries.ts'
import { Button } from '#ui/buttons/button.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { toast } from '#ui/messages/toast.ts'
import { FormFailure } from '#ui/forms/form.tsx'

export const CancelDialog = ({ row, onClose }: { row: StaticExport; onClose: () => void }) => {
  const cancel = useCancelExport()
  const run = () =>
    void cancel.mutateAsync(row.exportId).then(
      () => {
        toast(`Cancelled the export of ${formatDomain(row)}.`, { tone: 'done' })
        onClose()
      },
      // The dialog shows the error.
      () => undefined,
    )
  return (
    <Dialog open onClose={onClose} title="Cancel this export?">
      <p className="text-sm text-muted">
        The service stops exporting <bdi className="text-text">{formatDomain(row)}</bdi>. Pages that are already written
        are lost, and there will be no bundle.
      </p>
      <div className="mt-3 empty:hidden">
        <FormFailure error={cancel.error} title="Not cancelled" />
      </div>
      <div className="mt-4 flex flex-wrap justify-end gap-2">
        <Button size="md" onClick={onClose}>
          {isRunningExport(row) ? 'Keep it running' : 'Close'}
        </Button>
        <Button
          size="md"
          variant="danger"
          busy={cancel.isPending}
          refused={isRunningExport(row) ? null : 'This export is over.'}
          data-autofocus
          onClick={run}
        >
          Cancel export
        </Button>
      </div>
    </Dialog>
  )
}
