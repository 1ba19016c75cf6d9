import type { StaticExport } from '@docket/api-types/static-exports'
import { useNavigate } from '@tanstack/react-router'
import { focusRow, rememberRow } from '#ui/records/row-focus.ts'
import { toast, toastFailure } from '#ui/messages/toast.ts'
import { formatDomain, isRunning } from '#features/records/static-exports/export-state.ts'
import { useRemove, useRestore } from '#features/records/static-exports/static-exports.queries.ts'

/** Removes an export at once and offers to undo it. The focus goes to the next row; from the page of the export to the list. */
export const useRemoveWithUndo = (): ((row: StaticExport) => void) => {
  const remove = useRemove()
  const restore = useRestore()
  const navigate = useNavigate()
  const undo = ({ exportId }: StaticExport) =>
    void restore.mutateAsync(exportId).then(() => focusRow(exportId), toastFailure())
  return (row) => {
    const focusNext = rememberRow()
    // Before the page would read a record that is gone.
    if (focusNext === null) void navigate({ to: '/exports', replace: true })
    // A promise, because the caller may be unmounted when the response arrives.
    void remove.mutateAsync(row.exportId).then(() => {
      focusNext?.()
      toast(`Removed ${formatDomain(row)}.${isRunning(row) ? ' It keeps running on the service.' : ''}`, {
        action: { label: 'Undo', run: () => undo(row) },
      })
    }, toastFailure())
  }
}
