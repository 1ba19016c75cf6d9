import type { AgentJob } from '@docket/api-types/agent-jobs'
import { toJobKey, useFollowJobAgain } from '#features/records/agent-jobs/agent-jobs.queries.ts'
import { formatJobTitle } from '#features/records/agent-jobs/job-state.ts'
import { isolateText } from '#lib/text/format.ts'
import { RemovedRow } from '#ui/records/removed-row.tsx'

export const RemovedJob = ({ job }: { job: AgentJob }) => {
  const title = isolateText(formatJobTitle(job))
  const { mutateAsync, isPending } = useFollowJobAgain()
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
