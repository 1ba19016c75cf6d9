import type { AgentJob } from '@docket/api-types/agent-jobs'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useMemo } from 'react'
import { useRecordTitle } from '#app/titles/page-title.ts'
import { formatJobTabTitle } from '#app/titles/record-title.ts'
import { CancelDialog } from '#features/records/agent-jobs/actions/cancel-dialog.tsx'
import { toJobId, toJobKey, jobQuery } from '#features/records/agent-jobs/agent-jobs.queries.ts'
import { JobChanges } from '#features/records/agent-jobs/details/job-changes.tsx'
import { JobDetails } from '#features/records/agent-jobs/details/job-details.tsx'
import { canChangeByItself, isWorkingJob } from '#features/records/agent-jobs/job-state.ts'
import { Conversation } from '#features/records/agent-jobs/prompts/conversation.tsx'
import { jobPromptsQuery } from '#features/records/agent-jobs/prompts/prompts.queries.ts'
import { useLocalService, usePromptsAllowed } from '#features/service/connections/connection.queries.ts'
import { useHistoryQuery } from '#features/service/history/history.queries.ts'
import { RecordHistory } from '#features/service/history/record-history.tsx'
import { Skeleton } from '#ui/layout/page.tsx'
import { BackLink } from '#ui/links/link.tsx'
import { usePaused } from '#ui/live/ticking.tsx'
import { findTurnOutcomes } from './turn-outcomes.ts'

const JobLog = lazy(() =>
  import('#features/records/agent-jobs/log/job-log.tsx').then((module) => ({ default: module.JobLog })),
)
const ChangesView = lazy(() =>
  import('#features/records/changes/changes-view.tsx').then((module) => ({ default: module.ChangesView })),
)

const JobStory = ({ job }: { job: AgentJob }) => {
  const paused = usePaused()
  const allowed = usePromptsAllowed()
  const hasAgent = useLocalService()?.agent?.configured ?? true
  const key = toJobKey(job)
  const { data: sent } = useQuery(jobPromptsQuery(key, paused))
  const { data: history } = useQuery(useHistoryQuery({ type: 'agent_job', ...key }, canChangeByItself(job), paused))
  const outcomes = useMemo(() => findTurnOutcomes(sent?.prompts ?? [], history?.events ?? []), [sent, history])
  return <Conversation job={job} allowed={allowed} hasAgent={hasAgent} outcomes={outcomes} />
}

const JobLogPanel = ({ job }: { job: AgentJob }) => (
  <Suspense fallback={<Skeleton className="h-40 w-full" />}>
    <JobLog job={job} />
  </Suspense>
)

export const AgentJobPage = () => {
  const { projectId, jobId } = useParams({ from: '/inside/agent-jobs/$projectId/$jobId' })
  const { at } = useSearch({ from: '/inside/agent-jobs/$projectId/$jobId' })
  const jobKey = { connectionId: at, projectId, id: jobId }
  const { data: job } = useQuery(jobQuery(jobKey, usePaused()))
  useRecordTitle(job ? formatJobTabTitle(job) : null)
  return (
    <>
      <BackLink to="/agent-jobs">← Agent jobs</BackLink>
      <JobDetails key={toJobId(jobKey)} jobKey={jobKey} story={job && <JobStory job={job} />}>
        {job?.hasLog && isWorkingJob(job) && <JobLogPanel job={job} />}
        {job && <JobChanges job={job} render={(changes) => <ChangesView changes={changes} />} />}
        {job?.hasLog && !isWorkingJob(job) && <JobLogPanel job={job} />}
        {job && (
          <RecordHistory
            record={{ type: 'agent_job', ...toJobKey(job) }}
            subject="job"
            live={canChangeByItself(job)}
            stamp={`${job.meaning} ${job.status}`}
          />
        )}
      </JobDetails>
      <CancelDialog />
    </>
  )
}
