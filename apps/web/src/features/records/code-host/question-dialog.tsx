import type { ReactNode } from 'react'
import { Button } from '#ui/buttons/button.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'

type QuestionDialogProps = {
  open: boolean
  title: string
  action: string
  onClose: () => void
  onConfirm: () => void
  children: ReactNode
}

export const QuestionDialog = ({ open, title, action, onClose, onConfirm, children }: QuestionDialogProps) => (
  <Dialog open={open} onClose={onClose} title={title}>
    <p className="text-sm text-muted">{children}</p>
    <div className="mt-5 flex flex-wrap gap-2">
      <Button
        variant="primary"
        data-autofocus
        onClick={() => {
          onClose()
          onConfirm()
        }}
      >
        {action}
      </Button>
      <Button variant="quiet" onClick={onClose}>
        Cancel
      </Button>
    </div>
  </Dialog>
)
