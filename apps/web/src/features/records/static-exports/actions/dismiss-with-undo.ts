import type { StaticExport } from '@docket/api-types/static-exports'
import { toast, toastFailure } from '#ui/messages/toast.ts'
import { formatDomain } from '#features/records/static-exports/export-state.ts'
import { useDismiss, useUndoDismissal } from '#features/records/static-exports/static-exports.queries.ts'

/** Dismisses an export at once and offers to undo it. */
export const useDismissWithUndo = (): ((row: StaticExport) => void) => {
  const dismiss = useDismiss()
  const restore = useUndoDismissal()
  const undo = ({ exportId }: StaticExport) => void restore.mutateAsync(exportId).catch(toastFailure())
  // A promise, because the caller may be unmounted when the response arrives.
  return (row) =>
    void dismiss
      .mutateAsync(row.exportId)
      .then(
        () => toast(`Dismissed ${formatDomain(row)}.`, { action: { label: 'Undo', run: () => undo(row) } }),
        toastFailure(),
      )
}
