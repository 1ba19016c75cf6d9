import type { StaticExport } from '@docket/api-types/static-exports'
import { useNavigate } from '@tanstack/react-router'
import { formatDomain, isRunningExport } from '#features/records/static-exports/export-state.ts'
import {
  useDismissExport,
  useRemoveExport,
  useRestoreExport,
  useUndoExportDismissal,
} from '#features/records/static-exports/static-exports.queries.ts'
import { toastUndo } from '#ui/live/use-write.ts'
import { removeRowWithUndo } from '#ui/records/row-focus.ts'

export const useDismissExportWithUndo = (): ((row: StaticExport) => void) => {
  const dismiss = useDismissExport()
  const restore = useUndoExportDismissal()
  return (row) =>
    toastUndo(dismiss.mutateAsync(row.exportId), `Dismissed ${formatDomain(row)}.`, () =>
      restore.mutateAsync(row.exportId),
    )
}

export const useRemoveExportWithUndo = (): ((row: StaticExport) => void) => {
  const remove = useRemoveExport()
  const restore = useRestoreExport()
  const navigate = useNavigate()
  return (row) =>
    removeRowWithUndo(row.exportId, {
      remove: () => remove.mutateAsync(row.exportId),
      message: `Removed ${formatDomain(row)}.${isRunningExport(row) ? ' It keeps running on the service.' : ''}`,
      restore: () => restore.mutateAsync(row.exportId),
      leave: () => void navigate({ to: '/exports', replace: true }),
    })
}
