import type { ReactNode } from 'react'
import { Button } from '#ui/buttons/button.tsx'
import { FormFailure } from '#ui/forms/form.tsx'
import { Dialog } from './dialog.tsx'

type QuestionDialogProps = {
  title: string
  children: ReactNode
  action: string
  keep?: string
  variant?: 'danger' | 'primary'
  /** Why what the reader confirmed did not happen, with `failure` as its title. */
  error?: unknown
  failure?: string | undefined
  busy?: boolean
  onConfirm: () => void
  onClose: () => void
}

export const QuestionDialog = (props: QuestionDialogProps) => {
  const { title, children, action, keep = 'Cancel', variant = 'primary', error = null, failure, busy } = props
  return (
    <Dialog open onClose={props.onClose} title={title}>
      <div className="text-sm">
        {children}
        <div className="mt-3 empty:hidden">
          <FormFailure error={error} title={failure} />
        </div>
      </div>
      <div className="mt-4 flex flex-wrap justify-end gap-2">
        <Button onClick={props.onClose} data-autofocus={variant === 'danger' ? '' : undefined}>
          {keep}
        </Button>
        <Button variant={variant} busy={busy} onClick={props.onConfirm} data-autofocus="">
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
