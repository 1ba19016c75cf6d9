import { JobDetails } from '#features/agent-jobs/job-details.tsx'
import { Link } from '#ui/link.tsx'

/** One followed agent job. */
export const AgentJobPage = ({ projectId, jobId }: { projectId: string; jobId: string }) => {
  return (
    <div className="max-w-3xl">
      <nav aria-label="Back" className="mb-2 text-sm">
        <Link href="/agent-jobs" className="inline-flex h-6 items-center text-muted hover:text-text">
          ← Agent jobs
        </Link>
      </nav>
      <JobDetails key={`${projectId}/${jobId}`} jobKey={{ projectId, id: jobId }} />
    </div>
  )
}
