import type { ComponentProps } from 'react'
import { toast } from '#ui/messages/toast.ts'
import { QuestionDialog } from './question-dialog.tsx'

type DeleteDialogProps = Omit<ComponentProps<typeof QuestionDialog>, 'error' | 'busy' | 'onConfirm'> & {
  deletion: { error: unknown; isPending: boolean }
  onDelete: () => Promise<unknown>
  message?: string
}

export const DeleteDialog = ({ deletion, onDelete, message, ...question }: DeleteDialogProps) => {
  const run = () =>
    void onDelete().then(
      () => {
        if (message) toast(message, { tone: 'done' })
        question.onClose()
      },
      () => undefined,
    )
  return (
    <QuestionDialog variant="danger" {...question} error={deletion.error} busy={deletion.isPending} onConfirm={run} />
  )
}
