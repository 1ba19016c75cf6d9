import type { AgentJob } from '@docket/api-types/agent-jobs'
import { memo } from 'react'
import { recordCells, recordRow } from '#ui/record-row.ts'
import { CheckedLine } from '#ui/checked.tsx'
import { Link } from '#ui/link.tsx'
import { StateLabel } from '#ui/state-mark.tsx'
import { Ago, Elapsed } from '#ui/ticking.tsx'
import { JobMenu } from './job-menu.tsx'
import { jobPath } from './job-path.ts'
import { isWorking, jobState } from './job-state.ts'
import { PullRequest } from './pull-request.tsx'

/** One agent job among other things, in one row. Rendered again only when its own data changed. */
export const JobRow = memo(({ job }: { job: AgentJob }) => {
  const { tone, word } = jobState(job)
  const from = job.createdAt ?? job.followedAt
  return (
    <article aria-label={`Agent job ${job.id}`} className={recordRow}>
      <div className={recordCells.name}>
        <h3 className="flex font-semibold">
          <Link
            href={jobPath(job)}
            className="truncate leading-6 underline-offset-2 hover:underline"
            title={`${job.projectId}/${job.id}`}
          >
            <span className="font-normal text-muted">{job.projectId}/</span>
            {job.id}
          </Link>
        </h3>
        <div className="flex items-center gap-2 text-sm">
          <StateLabel tone={tone}>{word}</StateLabel>
          <span className="min-w-0 truncate text-xs text-muted">
            {isWorking(job) ? <Elapsed from={from} to={null} /> : <Ago at={job.finishedAt ?? from} />}
          </span>
        </div>
      </div>
      <p className={`${recordCells.middle} truncate text-sm text-muted`} title={job.source.repository?.text}>
        {job.source.repository?.label ?? job.source.repository?.text}
        {job.source.ref && <span className="ml-2 font-mono text-xs">{job.source.ref}</span>}
      </p>
      <p className={recordCells.checks}>
        <CheckedLine record={job} live={isWorking(job)} />
      </p>
      <div className={recordCells.action}>
        <PullRequest job={job} compact />
      </div>
      <div className={recordCells.menu}>
        <JobMenu job={job} />
      </div>
    </article>
  )
})
