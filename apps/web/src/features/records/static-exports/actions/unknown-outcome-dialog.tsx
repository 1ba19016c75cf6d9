import type { StaticExport } from '@docket/api-types/static-exports'
import { formatDomain } from '#features/records/static-exports/export-state.ts'
import { toRestartRequest, useStartExport } from '#features/records/static-exports/start/start-context.tsx'
import { useAttachExportJob } from '#features/records/static-exports/static-exports.queries.ts'
import { LostAnswerDialog } from '#ui/overlays/lost-answer-dialog.tsx'
import { useRemoveExportWithUndo } from './with-undo.ts'

export const UnknownOutcomeDialog = ({ row, onClose }: { row: StaticExport; onClose: () => void }) => {
  const { start } = useStartExport()
  const attach = useAttachExportJob()
  const removeRow = useRemoveExportWithUndo()
  const { exportId } = row
  return (
    <LostAnswerDialog
      onClose={onClose}
      title={`Did the export of ${formatDomain(row)} start?`}
      attaching={{
        attach: (jobId) => attach.mutate({ exportId, jobId }, { onSuccess: onClose }),
        busy: attach.isPending,
        error: attach.error,
      }}
      again={{
        name: 'Start again',
        warning: 'If the first one did start, two run. That only costs time.',
        run: () => start({ ...toRestartRequest(row), replaces: exportId }),
      }}
      forget={{
        warning: 'Removes it from the list. If the export did start, it finishes without Docket.',
        run: () => removeRow(row),
      }}
    >
      {row.reason} The service has no list to look it up in, and Docket never starts an export twice on its own.
    </LostAnswerDialog>
  )
}
