import type { AgentJob } from '@docket/api-types/agent-jobs'
import { isolate } from '#lib/text/bidi.ts'
import { toast, toastFailure } from '#ui/messages/toast.ts'
import { toJobKey, useDismiss, useUndoDismissal } from '#features/records/agent-jobs/agent-jobs.queries.ts'
import { formatJobTitle } from '#features/records/agent-jobs/job-title.ts'

/** Dismisses a job at once and offers to undo it. */
export const useDismissWithUndo = (): ((job: AgentJob) => void) => {
  const dismiss = useDismiss()
  const restore = useUndoDismissal()
  const undo = (job: AgentJob) => void restore.mutateAsync(toJobKey(job)).catch(toastFailure())
  // A promise, because the caller may be unmounted when the response arrives.
  return (job) =>
    void dismiss
      .mutateAsync(toJobKey(job))
      .then(
        () =>
          toast(`Dismissed “${isolate(formatJobTitle(job))}”.`, { action: { label: 'Undo', run: () => undo(job) } }),
        toastFailure(),
      )
}
