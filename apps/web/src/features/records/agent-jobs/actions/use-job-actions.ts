import type { AgentJob } from '@docket/api-types/agent-jobs'
import { useRef } from 'react'
import {
  toJobId,
  toJobKey,
  useArchiveJob,
  useCancelJob,
  useDismissJob,
  useRetryJob,
  useUndoJobDismissal,
} from '#features/records/agent-jobs/agent-jobs.queries.ts'
import { isWorkingJob, formatJobTitle } from '#features/records/agent-jobs/job-state.ts'
import { createStore } from '#lib/state/store.ts'
import { isolateText } from '#lib/text/format.ts'
import { createUuid } from '#lib/uuid.ts'
import { useReadOnly, useRecordRefusal } from '#ui/connections/connections.tsx'
import { usePromptRefusal } from '#ui/forms/use-refusal.ts'
import { toastEnd, toastUndo } from '#ui/live/use-write.ts'
import { toast, toastFailure } from '#ui/messages/toast.ts'

export const jobToCancel = createStore<AgentJob | null>(null)

type Name = 'cancel' | 'retry' | 'archive'

export type JobAction = { name: Name; label: string; refused: string | null; busy: boolean; run: () => void }

const labels = { cancel: 'Cancel job', retry: 'Retry', archive: 'Archive' } as const

const quoteJobTitle = (job: AgentJob) => `“${isolateText(formatJobTitle(job))}”`

export const useDismissJobWithUndo = (): ((job: AgentJob) => void) => {
  const dismiss = useDismissJob()
  const restore = useUndoJobDismissal()
  return (job) =>
    toastUndo(dismiss.mutateAsync(toJobKey(job)), `Dismissed ${quoteJobTitle(job)}.`, () =>
      restore.mutateAsync(toJobKey(job)),
    )
}

/** Cancels without a confirmation. Shows the outcome even if the calling component was unmounted. */
export const useCancelJobNow = () => {
  const { mutateAsync, isPending } = useCancelJob()
  const cancel = (job: AgentJob) =>
    mutateAsync(toJobKey(job)).then(
      () => toast(`Cancelled ${quoteJobTitle(job)}.`, { tone: 'done' }),
      toastFailure(`Could not cancel ${quoteJobTitle(job)}.`),
    )
  return { cancel, busy: isPending }
}

/** Retries a job. Resolves to the reason if the prompt was not accepted. A double press sends one request. */
export const useRetryJobOnce = () => {
  const { mutateAsync, isPending } = useRetryJob()
  // Each id stays the same until a response arrives.
  const requests = useRef(new Map<string, string>())
  const retry = async (job: AgentJob): Promise<string | null> => {
    const id = toJobId(job)
    const requestId = requests.current.get(id) ?? createUuid()
    requests.current.set(id, requestId)
    const { prompt } = await mutateAsync({ ...toJobKey(job), requestId })
    requests.current.delete(id)
    return prompt.state === 'accepted' ? null : (prompt.reason ?? 'The service hasn’t responded yet.')
  }
  return { retry, busy: isPending }
}

export const useJobActions = (job: AgentJob): JobAction[] => {
  const cancelNow = useCancelJobNow()
  const retrying = useRetryJobOnce()
  const archiving = useArchiveJob()
  const general = useRecordRefusal(job)
  const noPrompts = usePromptRefusal()
  const readOnly = useReadOnly(job)
  const { actions, meaning } = job
  if (!actions || meaning === 'gone') return []
  const runs: Record<Name, Pick<JobAction, 'busy' | 'run'>> = {
    cancel: {
      busy: cancelNow.busy,
      run: () => (meaning === 'waiting' ? void cancelNow.cancel(job) : jobToCancel.set(job)),
    },
    retry: {
      busy: retrying.busy,
      run: () =>
        void retrying
          .retry(job)
          .then(
            (reason) =>
              reason === null
                ? toast(`Sent the prompt of ${quoteJobTitle(job)} again.`, { tone: 'done' })
                : toast(`Could not retry ${quoteJobTitle(job)}. ${reason}`, { tone: 'failed' }),
            toastFailure(`Could not retry ${quoteJobTitle(job)}.`),
          ),
    },
    archive: {
      busy: archiving.isPending,
      run: () =>
        toastEnd(
          archiving.mutateAsync(toJobKey(job)),
          `Archived ${quoteJobTitle(job)}.`,
          `Could not archive ${quoteJobTitle(job)}.`,
        ),
    },
  }
  const names: Name[] = isWorkingJob(job) ? ['cancel'] : meaning === 'archived' ? [] : ['retry', 'archive']
  return names.map((name) => ({
    name,
    label: labels[name],
    refused: readOnly ?? general ?? (name === 'retry' ? noPrompts : null) ?? actions[name],
    ...runs[name],
  }))
}
