import { useSyncExternalStore, type ReactNode } from 'react'
import { formatJobTitle } from '#features/records/agent-jobs/job-state.ts'
import { Button } from '#ui/buttons/button.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { jobToCancel, useCancelJobNow } from './use-job-actions.ts'

type CancelQuestionProps = {
  open: boolean
  title: string
  busy: boolean
  onClose: () => void
  onCancel: () => void
  children: ReactNode
}

export const CancelQuestion = ({ open, title, busy, onClose, onCancel, children }: CancelQuestionProps) => (
  <Dialog open={open} onClose={onClose} title={title}>
    <p className="text-sm text-muted">{children} Changes that were not pushed are lost.</p>
    <div className="mt-4 flex justify-end gap-2">
      <Button size="md" onClick={onClose}>
        Keep working
      </Button>
      <Button size="md" variant="danger" busy={busy} data-autofocus onClick={onCancel}>
        Cancel work
      </Button>
    </div>
  </Dialog>
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
