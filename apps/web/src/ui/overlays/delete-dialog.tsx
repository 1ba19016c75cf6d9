import type { ReactNode } from 'react'
import { Button } from '#ui/buttons/button.tsx'
import { toast } from '#ui/messages/toast.ts'
import { FormFailure } from '#ui/forms/form-failure.tsx'
import { Dialog } from './dialog.tsx'

type DeleteDialogProps = {
  title: string
  children: ReactNode
  action: string
  keep?: string
  variant?: 'danger' | 'primary'
  failure?: string
  deletion: { error: unknown; isPending: boolean }
  onDelete: () => Promise<unknown>
  message?: string
  onClose: () => void
}

export const DeleteDialog = (props: DeleteDialogProps) => {
  const { title, children, action, keep = 'Cancel', variant = 'danger', failure, deletion } = props
  const { onDelete, message, onClose } = props
  const run = () =>
    void onDelete().then(
      () => {
        if (message) toast(message, { tone: 'done' })
        onClose()
      },
      () => undefined,
    )
  return (
    <Dialog open onClose={onClose} title={title}>
      <div className="text-sm">
        {children}
        <div className="mt-3 empty:hidden">
          <FormFailure error={deletion.error} title={failure} />
        </div>
      </div>
      <div className="mt-4 flex flex-wrap justify-end gap-2">
        <Button onClick={onClose} data-autofocus="">
          {keep}
        </Button>
        <Button variant={variant} busy={deletion.isPending} onClick={run}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
