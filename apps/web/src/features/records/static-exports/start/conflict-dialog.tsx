import { useNavigate } from '@tanstack/react-router'
import { buildExportLink } from '#features/records/static-exports/export-state.ts'
import { closeNewExport } from '#features/records/static-exports/start/new-export.tsx'
import { Button } from '#ui/buttons/button.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'

type ConflictDialogProps = { domain: string; exportId: string; onClose: () => void; onConfirm: () => void }

export const ConflictDialog = ({ domain, exportId, onClose, onConfirm }: ConflictDialogProps) => {
  const navigate = useNavigate()
  const open = () => {
    onClose()
    closeNewExport()
    void navigate(buildExportLink(exportId))
  }
  return (
    <Dialog onClose={onClose} title="Already running">
      <p className="text-sm text-muted">
        An export of <strong className="font-medium text-text wrap-anywhere">{domain}</strong> is running, or may be
        running. A second one repeats the same work.
      </p>
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <Button onClick={onConfirm}>Start another anyway</Button>
        <Button variant="primary" onClick={open} data-autofocus>
          Open the running one
        </Button>
      </div>
    </Dialog>
  )
}
