import type { AgentJob } from '@docket/api-types/agent-jobs'
import { toJobKey, useFollowAgain } from '#features/records/agent-jobs/agent-jobs.queries.ts'
import { formatJobTitle } from '#features/records/agent-jobs/job-state.ts'
import { isolate } from '#lib/text/bidi.ts'
import { RemovedRow } from '#ui/records/removed-row.tsx'

export const RemovedJob = ({ job }: { job: AgentJob }) => {
  const title = isolate(formatJobTitle(job))
  const { mutateAsync, isPending } = useFollowAgain()
  return (
    <RemovedRow
      record={job}
      label={`Agent job ${title}`}
      name={title}
      busy={isPending}
      restore={() => mutateAsync(toJobKey(job))}
    />
  )
}
