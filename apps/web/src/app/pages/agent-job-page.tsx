import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { useRecordTitle } from '#app/page-title.ts'
import { jobTitle } from '#app/record-title.ts'
import { toJobId, toJobKey, jobQuery } from '#features/agent-jobs/agent-jobs.queries.ts'
import { JobDetails } from '#features/agent-jobs/job-details.tsx'
import { JobPrompts } from '#features/agent-jobs/prompts/job-prompts.tsx'
import { jobPromptsQuery } from '#features/agent-jobs/prompts/prompts.queries.ts'
import { canChange } from '#features/agent-jobs/job-state.ts'
import { usePromptsAllowed } from '#features/connection/connection.queries.ts'
import { RecordHistory } from '#features/history/record-history.tsx'
import { Link } from '#ui/link.tsx'
import { usePaused } from '#ui/use-paused.ts'

/** One followed agent job and its history. */
export const AgentJobPage = () => {
  const { projectId, jobId } = useParams({ from: '/inside/agent-jobs/$projectId/$jobId' })
  const { at } = useSearch({ from: '/inside/agent-jobs/$projectId/$jobId' })
  const jobKey = { connectionId: at, projectId, id: jobId }
  const allowed = usePromptsAllowed()
  const paused = usePaused()
  const { data: job } = useQuery(jobQuery(jobKey, paused))
  const { data: sent } = useQuery({ ...jobPromptsQuery(toJobKey(job ?? jobKey), paused), enabled: job !== undefined })
  useRecordTitle(job ? jobTitle(job, sent?.prompts ?? []) : null)
  return (
    <>
      <nav aria-label="Back" className="mb-2 text-sm">
        <Link to="/agent-jobs" className="inline-flex h-6 items-center text-muted hover:text-text">
          ← Agent jobs
        </Link>
      </nav>
      <JobDetails key={toJobId(jobKey)} jobKey={jobKey}>
        {job && <JobPrompts job={job} allowed={allowed} />}
        {job && (
          <RecordHistory
            record={{ type: 'agent_job', ...jobKey }}
            subject="job"
            live={canChange(job)}
            stamp={`${job.meaning} ${job.status}`}
          />
        )}
      </JobDetails>
    </>
  )
}
