import type { AgentJob } from '@docket/api-types/agent-jobs'
import { memo } from 'react'
import { isolate } from '#lib/bidi.ts'
import { formatInstant, formatUtc } from '#lib/format.ts'
import { CheckedLine } from '#ui/records/checked.tsx'
import { ConnectionMark } from '#ui/connections/connection-mark.tsx'
import { Link } from '#ui/link.tsx'
import { NoteLine } from '#ui/records/note-line.tsx'
import { recordCells, recordRow } from '#ui/records/record-row.ts'
import { StateLabel } from '#ui/state-mark.tsx'
import { Ago, Elapsed } from '#ui/ticking.tsx'
import { jobLink } from './job-link.ts'
import { toJobId } from './agent-jobs.queries.ts'
import { JobMenu } from './job-menu.tsx'
import { useProjectName } from './projects/projects.queries.ts'
import { canChange, isWorking, jobState } from './job-state.ts'
import { PullRequest } from './pull-request.tsx'

const Age = ({ job }: { job: AgentJob }) => {
  const from = job.createdAt ?? job.followedAt
  if (job.archivedAt !== null) return <span className="min-w-0 truncate">{formatInstant(job.archivedAt)}</span>
  if (!isWorking(job)) return <Ago at={job.finishedAt ?? from} />
  return (
    <span className="min-w-0 truncate" title={`Created ${formatInstant(from)} · ${formatUtc(from)}`}>
      <Elapsed from={from} to={null} />
    </span>
  )
}

/** Model, note of the state, and host of the pull request. */
const describeDetails = (job: AgentJob): string =>
  [
    job.model,
    jobState(job).note,
    job.prLink && (job.prLink.host === null ? 'pull request is not a safe link' : `pull request on ${job.prLink.host}`),
  ]
    .filter(Boolean)
    .join(' · ')

const Source = ({ job }: { job: AgentJob }) => {
  const { repository, ref } = job.source
  const details = describeDetails(job)
  return (
    // Two lines of one paragraph, each cut off where it is too long.
    <p
      className={`overflow-hidden text-sm text-ellipsis whitespace-pre text-muted compact:text-xs ${recordCells.middle}`}
      title={[repository?.text, details].filter(Boolean).join('\n')}
    >
      {/* Marks instead of elements: a list has hundreds of them. */}
      {repository ? isolate(repository.label ?? repository.text) : 'Repository not reported'}
      {ref && ` · ${isolate(ref)}`}
      {'\n'}
      {job.checkFailure ? <bdi className="text-attention">{job.checkFailure.message}</bdi> : details}
      {job.note && <NoteLine note={job.note} />}
    </p>
  )
}

/** One agent job in a list. Renders again only when its data changes. */
export const JobRow = memo(({ job }: { job: AgentJob }) => {
  const { tone, word } = jobState(job)
  return (
    <article aria-label={`Agent job ${job.id}`} data-record={toJobId(job)} className={recordRow}>
      <h3 className={recordCells.title}>
        <Link
          {...jobLink(job)}
          className="truncate underline-offset-2 hover:underline"
          title={`${job.projectId}/${job.id}`}
        >
          {`${isolate(useProjectName(job))}/${job.id}`}
        </Link>
        <ConnectionMark record={job} />
      </h3>
      <p className={recordCells.state}>
        <StateLabel tone={tone}>{word}</StateLabel>
        <Age job={job} />
      </p>
      <Source job={job} />
      <CheckedLine record={job} live={canChange(job)} className={recordCells.checks} />
      <PullRequest job={job} compact className={recordCells.action} />
      <JobMenu job={job} className={recordCells.menu} />
    </article>
  )
})
