import type { AgentJob } from '@docket/api-types/agent-jobs'
import { toJobKey, useFollowAgain } from '#features/records/agent-jobs/agent-jobs.queries.ts'
import { formatJobTitle } from '#features/records/agent-jobs/job-title.ts'
import { isolate } from '#lib/text/bidi.ts'
import { RemovedRow } from '#ui/records/removed-row.tsx'
import { toast, toastFailure } from '#ui/messages/toast.ts'

/** A job that is no longer followed. */
export const RemovedJob = ({ job }: { job: AgentJob }) => {
  const title = isolate(formatJobTitle(job))
  const followAgain = useFollowAgain()
  const onRestore = () =>
    void followAgain
      .mutateAsync(toJobKey(job))
      .then(() => toast(`Restored ${title}.`, { tone: 'done' }), toastFailure(`Could not restore ${title}.`))
  return (
    <RemovedRow
      record={job}
      label={`Agent job ${title}`}
      name={title}
      busy={followAgain.isPending}
      onRestore={onRestore}
    />
  )
}
