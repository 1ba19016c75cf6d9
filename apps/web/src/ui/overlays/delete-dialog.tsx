import type { ReactNode } from 'react'
import { toMessage } from '#lib/api/api-error.ts'
import { Button } from '#ui/buttons/button.tsx'
import { Notice } from '#ui/messages/notice.tsx'
import { Dialog } from './dialog.tsx'

type DeleteDialogProps = {
  title: string
  /** Says what goes. */
  children: ReactNode
  /** Words on the button. */
  action: string
  /** Title above the reason when it failed. */
  failure: string
  deletion: { error: unknown; isPending: boolean }
  onDelete: () => void
  onClose: () => void
}

/** Asks before something is deleted. */
export const DeleteDialog = (props: DeleteDialogProps) => {
  const { title, children, action, failure, deletion, onDelete, onClose } = props
  return (
    <Dialog open onClose={onClose} title={title}>
      <div className="text-sm">
        {children}
        {deletion.error !== null && (
          <div className="mt-3">
            <Notice tone="failed" role="alert" title={failure}>
              {toMessage(deletion.error)}
            </Notice>
          </div>
        )}
      </div>
      <div className="mt-4 flex flex-wrap justify-end gap-2">
        <Button onClick={onClose} data-autofocus="">
          Cancel
        </Button>
        <Button variant="danger" busy={deletion.isPending} onClick={onDelete}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
