import type { AgentJob } from '@docket/api-types/agent-jobs'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { StateLabel } from '#ui/state-mark.tsx'
import { Ago, CheckTimes, Elapsed } from '#ui/ticking.tsx'
import { isWorking, jobState } from './job-state.ts'
import { PullRequest } from './pull-request.tsx'

/** One agent job among other things, in one line. */
export const JobRow = memo(({ job }: { job: AgentJob }) => {
  const { tone, word } = jobState(job)
  const from = job.createdAt ?? job.followedAt
  return (
    <article
      aria-label={`Agent job ${job.id}`}
      className="grid min-h-[4.5rem] grid-cols-[minmax(0,1fr)] items-center gap-x-5 gap-y-2 px-4 py-3 md:grid-cols-[minmax(0,1.15fr)_minmax(0,1.5fr)_9rem_10.5rem]"
    >
      <div className="min-w-0">
        <h3 className="truncate font-semibold">
          <Link
            to="/agent-jobs/$projectId/$jobId"
            params={{ projectId: job.projectId, jobId: job.id }}
            className="underline-offset-2 hover:underline"
            title={`${job.projectId}/${job.id}`}
          >
            <span className="font-normal text-muted">{job.projectId}/</span>
            {job.id}
          </Link>
        </h3>
        <div className="mt-0.5 flex flex-wrap items-center gap-x-2 text-sm">
          <StateLabel tone={tone}>{word}</StateLabel>
          <span className="text-xs text-muted">
            {isWorking(job) ? <Elapsed from={from} to={null} /> : <Ago at={job.finishedAt ?? from} />}
          </span>
        </div>
      </div>
      <p className="truncate text-sm text-muted" title={job.source.repository?.text}>
        {job.source.repository?.label ?? job.source.repository?.text}
        {job.source.ref && <span className="ml-2 font-mono text-xs">{job.source.ref}</span>}
      </p>
      <p className="text-xs text-muted">
        <CheckTimes checkedAt={job.checkedAt} nextCheckAt={job.nextCheckAt} />
      </p>
      <div className="flex min-w-0 md:justify-end">
        <PullRequest job={job} compact />
      </div>
    </article>
  )
})
