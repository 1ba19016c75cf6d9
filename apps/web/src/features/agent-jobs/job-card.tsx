import type { AgentJob } from '@docket/api-types/agent-jobs'
import { memo } from 'react'
import { CheckedLine } from '#ui/checked.tsx'
import { Link } from '#ui/link.tsx'
import { StateLabel } from '#ui/state-mark.tsx'
import { CheckJobButton } from './check-job-button.tsx'
import { JobFacts } from './job-facts.tsx'
import { JobMenu } from './job-menu.tsx'
import { jobPath } from './job-path.ts'
import { isWorking, jobState } from './job-state.ts'
import { PullRequest } from './pull-request.tsx'

/** One followed agent job. Rendered again only when its own data changed. */
export const JobCard = memo(({ job }: { job: AgentJob }) => {
  const { tone, word, note } = jobState(job)
  return (
    <article aria-label={`Agent job ${job.id}`} className="panel flex h-full flex-col p-4">
      <div className="flex items-start justify-between gap-2">
        <div className="min-w-0">
          <StateLabel tone={tone}>{word}</StateLabel>
          <h3 className="mt-0.5 flex text-sm">
            <Link
              href={jobPath(job)}
              className="truncate leading-6 underline-offset-2 hover:underline"
              title={`${job.projectId}/${job.id}`}
            >
              <span className="text-muted">{job.projectId}/</span>
              <span className="font-semibold">{job.id}</span>
            </Link>
          </h3>
        </div>
        <div className="-mt-1 -mr-1.5">
          <JobMenu job={job} />
        </div>
      </div>
      {note && <p className="mt-2 text-sm text-muted">{note}</p>}
      <div className="mt-3 mb-4">
        <JobFacts job={job} />
      </div>
      <div className="mt-auto flex flex-col gap-3">
        <PullRequest job={job} />
        <div className="border-t border-line pt-2 -mb-1.5 text-xs text-muted">
          {job.checkFailure && <p className="mb-0.5 text-attention wrap-anywhere">{job.checkFailure.message}</p>}
          <span className="flex items-center justify-between gap-2">
            <CheckedLine record={job} live={isWorking(job)} />
            <CheckJobButton job={job} />
          </span>
        </div>
      </div>
    </article>
  )
})
