import { useSyncExternalStore, type ReactNode } from 'react'
import { formatJobTitle } from '#features/records/agent-jobs/job-state.ts'
import { QuestionDialog } from '#ui/overlays/dialog.tsx'
import { jobToCancel, useCancelJobNow } from './use-job-actions.ts'

type CancelQuestionProps = {
  open: boolean
  title: string
  busy: boolean
  onClose: () => void
  onCancel: () => void
  children: ReactNode
}

export const CancelQuestion = ({ open, onCancel, children, ...question }: CancelQuestionProps) =>
  open && (
    <QuestionDialog {...question} keep="Keep working" action="Cancel work" variant="danger" onConfirm={onCancel}>
      <p className="text-muted">{children} Changes that were not pushed are lost.</p>
    </QuestionDialog>
  )

export const CancelDialog = () => {
  const job = useSyncExternalStore(jobToCancel.subscribe, jobToCancel.get)
  const { cancel, busy } = useCancelJobNow()
  const close = () => jobToCancel.set(null)
  return (
    <CancelQuestion
      open={job !== null}
      title="Cancel this job?"
      busy={busy}
      onClose={close}
      onCancel={() => job && void cancel(job).then(close)}
    >
      The agent stops working on “<bdi className="text-text">{job && formatJobTitle(job)}</bdi>”.
    </CancelQuestion>
  )
}
