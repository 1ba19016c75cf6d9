import { getRouteApi, Link } from '@tanstack/react-router'
import { JobDetails } from '#features/agent-jobs/job-details.tsx'

const route = getRouteApi('/agent-jobs/$projectId/$jobId')

/** One followed agent job. */
export const AgentJobPage = () => {
  const { projectId, jobId } = route.useParams()
  return (
    <div className="max-w-3xl">
      <nav aria-label="Back" className="mb-2 text-sm">
        <Link to="/agent-jobs" className="inline-flex h-6 items-center text-muted hover:text-text">
          ← Agent jobs
        </Link>
      </nav>
      <JobDetails key={`${projectId}/${jobId}`} jobKey={{ projectId, id: jobId }} />
    </div>
  )
}
