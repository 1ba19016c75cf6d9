import type { StaticExport } from '@docket/api-types/static-exports'
import { useNavigate } from '@tanstack/react-router'
import { formatDomain, isRunning } from '#features/records/static-exports/export-state.ts'
import {
  useDismiss,
  useRemove,
  useRestore,
  useUndoDismissal,
} from '#features/records/static-exports/static-exports.queries.ts'
import { toastUndo } from '#ui/live/use-write.ts'
import { removeRow } from '#ui/records/row-focus.ts'

export const useDismissWithUndo = (): ((row: StaticExport) => void) => {
  const dismiss = useDismiss()
  const restore = useUndoDismissal()
  return (row) =>
    toastUndo(dismiss.mutateAsync(row.exportId), `Dismissed ${formatDomain(row)}.`, () =>
      restore.mutateAsync(row.exportId),
    )
}

export const useRemoveWithUndo = (): ((row: StaticExport) => void) => {
  const remove = useRemove()
  const restore = useRestore()
  const navigate = useNavigate()
  return (row) =>
    removeRow(row.exportId, {
      remove: () => remove.mutateAsync(row.exportId),
      message: `Removed ${formatDomain(row)}.${isRunning(row) ? ' It keeps running on the service.' : ''}`,
      restore: () => restore.mutateAsync(row.exportId),
      leave: () => void navigate({ to: '/exports', replace: true }),
    })
}
