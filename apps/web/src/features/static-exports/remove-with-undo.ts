import type { StaticExport } from '@docket/api-types/static-exports'
import { toast, toastFailure } from '#ui/toast.ts'
import { formatDomain, isRunning } from './export-state.ts'
import { useRemove, useRestore } from './static-exports.queries.ts'

/** Removes an export at once and offers to undo it. */
export const useRemoveWithUndo = (): ((row: StaticExport) => void) => {
  const remove = useRemove()
  const restore = useRestore()
  const undo = (row: StaticExport) => void restore.mutateAsync(row.exportId).catch(toastFailure())
  // A promise, because the caller may be unmounted when the response arrives.
  return (row) =>
    void remove.mutateAsync(row.exportId).then(
      () =>
        toast(`Removed ${formatDomain(row)}.${isRunning(row) ? ' The service goes on with it.' : ''}`, {
          action: { label: 'Undo', run: () => undo(row) },
        }),
      toastFailure(),
    )
}
