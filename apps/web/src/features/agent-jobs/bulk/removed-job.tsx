import type { AgentJob } from '@docket/api-types/agent-jobs'
import { toJobKey, useFollowAgain } from '#features/agent-jobs/agent-jobs.queries.ts'
import { RemovedRow } from '#ui/records/removed-row.tsx'
import { toast, toastFailure } from '#ui/toast.ts'

/** A job that is no longer followed. */
export const RemovedJob = ({ job }: { job: AgentJob }) => {
  const followAgain = useFollowAgain()
  const onRestore = () =>
    void followAgain
      .mutateAsync(toJobKey(job))
      .then(() => toast(`Restored ${job.id}.`, { tone: 'done' }), toastFailure(`Could not restore ${job.id}.`))
  return (
    <RemovedRow
      record={job}
      label={`Agent job ${job.id}`}
      name={`${job.projectId}/${job.id}`}
      busy={followAgain.isPending}
      onRestore={onRestore}
    />
  )
}
