import type { StaticExport } from '@docket/api-types/static-exports'
import { isRunningExport } from '#features/records/static-exports/export-state.ts'
import { useReadOnly, useRecordRefusal } from '#ui/connections/connections.tsx'

/** Reason why the reader may not download the bundle of an export, or a file of it; null when they may. */
export const useDownloadRefusal = (row: Partial<Pick<StaticExport, 'connectionId' | 'artifact'>>): string | null => {
  const refused = useRecordRefusal(row)
  if (refused === null || row.artifact?.isLive) return null
  return 'Only operators download an export that no channel of its site shows. Ask an admin for access.'
}

/** Why an export cannot be cancelled now; null when it can, undefined when it has ended or its service cannot cancel. */
export const useCancelRefusal = (row: StaticExport): string | null | undefined => {
  const general = useRecordRefusal(row)
  const readOnly = useReadOnly(row)
  if (!row.actions || !isRunningExport(row)) return undefined
  return readOnly ?? general ?? row.actions.cancel
}
