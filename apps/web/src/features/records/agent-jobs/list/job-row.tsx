import type { AgentJob } from '@docket/api-types/agent-jobs'
import { memo } from 'react'
import { toJobId, buildJobLink } from '#features/records/agent-jobs/agent-jobs.queries.ts'
import {
  canChangeByItself,
  formatQueuePlace,
  isWorkingJob,
  describeJobState,
  formatJobTitle,
} from '#features/records/agent-jobs/job-state.ts'
import { useProjectName } from '#features/records/agent-jobs/projects/projects.queries.ts'
import {
  formatPullRequestNumber,
  labelPullRequestState,
} from '#features/records/agent-jobs/pull-requests/pull-request-labels.ts'
import { isolateText, formatInstant, formatUtc } from '#lib/text/format.ts'
import { buttonClass } from '#ui/buttons/button.tsx'
import { ConnectionMark } from '#ui/connections/connections.tsx'
import { Link } from '#ui/links/link.tsx'
import { Ago, Elapsed } from '#ui/live/ticking.tsx'
import { LineIcon } from '#ui/marks/line-icon.tsx'
import { StateLabel } from '#ui/marks/state-mark.tsx'
import { CheckedLine } from '#ui/records/checked.tsx'
import { NoteLine } from '#ui/records/note-line.tsx'
import { JobMenu } from './job-menu.tsx'

const branchesPath =
  'M18 15a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM6 3a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM13 6h3a2 2 0 0 1 2 2v7M6 9v12'

/** Link to a job's pull request with its number and state, for a row. Plain text if the link is unsafe. */
const PullRequestLink = ({ job, className }: { job: AgentJob; className: string }) => {
  const { prLink } = job
  if (!prLink) return null
  if (!prLink.href)
    return (
      <span className={`truncate text-xs text-muted ${className}`} title={prLink.text}>
        {prLink.text}
      </span>
    )
  const number = formatPullRequestNumber(job)
  // Contains the visible text.
  const name = number && prLink.label?.endsWith(number) ? prLink.label : `Pull request ${number ?? prLink.host}`
  const word = labelPullRequestState(job).word.toLowerCase()
  const look = { title: prLink.text, className: `${buttonClass()} ${className}` }
  const content = (
    <>
      <LineIcon path={branchesPath} />
      {/* The number identifies the pull request, so it is never cut off. */}
      <span className={number ? 'shrink-0' : 'truncate'}>{number ?? prLink.host ?? 'Pull request'}</span>{' '}
      {job.pullRequest?.state && (
        <span className="truncate text-xs font-normal text-muted @max-[35rem]:hidden">{word}</span>
      )}
    </>
  )
  // Docket shows the pull requests of its own code host.
  return prLink.href.startsWith('/') ? (
    <Link to={prLink.href as '/'} aria-label={`${name} ${word}`} {...look}>
      {content}
    </Link>
  ) : (
    <a
      href={prLink.href}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={`${name} ${word} (opens in a new tab)`}
      {...look}
    >
      {content}
    </a>
  )
}

export const JobHead = () => (
  <div aria-hidden="true" className="hidden list-row min-h-6! job-row text-xs text-muted @min-[35rem]:grid">
    {['Job', 'State', 'Pull request', 'Created'].map((column) => (
      <span key={column}>{column}</span>
    ))}
  </div>
)

/** Age, and who asked for it; while it works, how long it has. */
const JobAge = ({ job }: { job: AgentJob }) => {
  const from = job.createdAt ?? job.followedAt
  const place = formatQueuePlace(job)
  const title = [`Created ${formatInstant(from)} · ${formatUtc(from)}`, job.askedBy && `Asked for by ${job.askedBy}`]
  return (
    <span
      className="truncate text-xs text-muted [grid-area:age] @max-[35rem]:max-w-20 @min-[35rem]:text-sm"
      title={title.filter(Boolean).join('\n')}
    >
      {place && <span className="text-text">{place} · </span>}
      {isWorkingJob(job) ? (
        <Elapsed from={job.meaning === 'working' ? (job.startedAt ?? from) : from} to={null} />
      ) : (
        <Ago at={from} />
      )}
      {job.askedBy && (
        <>
          {' · '}
          <bdi>{job.askedBy}</bdi>
        </>
      )}
    </span>
  )
}

/** The state, and in the rest of its space what the agent does, or what came of it. */
const JobState = ({ job }: { job: AgentJob }) => {
  const { tone, word, note } = describeJobState(job)
  const text = job.checkFailure?.message ?? job.summary
  const failed = job.checkFailure !== null
  return (
    // Where space is short, a reason has a line of its own.
    <div className={`flex min-w-0 items-center gap-x-2 [grid-area:state] ${failed ? '@max-[35rem]:contents' : ''}`}>
      <span title={note ?? undefined} className="flex shrink-0 [grid-area:state]">
        <StateLabel tone={tone}>{word}</StateLabel>
      </span>
      {text && (
        <p
          dir="auto"
          title={text}
          className={`min-w-0 text-xs wrap-anywhere @min-[35rem]:line-clamp-2 ${failed ? 'line-clamp-2 text-attention [grid-area:reason] @max-[35rem]:mb-2' : 'line-clamp-1 text-muted'} ${isWorkingJob(job) && job.summary && !failed ? 'font-mono' : ''}`}
        >
          {text}
        </p>
      )}
    </div>
  )
}

export const JobRow = memo(({ job }: { job: AgentJob }) => {
  const title = isolateText(formatJobTitle(job))
  const { repository, ref } = job.source
  const ids = [formatJobTitle(job), repository?.text, ref, `${useProjectName(job)} ${job.id}`]
  return (
    <article aria-label={`Agent job ${title}`} data-record={toJobId(job)} className="list-row job-row">
      <h3 className="flex min-w-0 items-baseline gap-x-2 text-base leading-6 font-semibold [grid-area:title]">
        <Link
          {...buildJobLink(job)}
          className="min-w-0 truncate underline-offset-2 hover:underline"
          title={ids.filter(Boolean).join('\n')}
        >
          {title}
        </Link>
        {job.note && <NoteLine note={job.note} />}
        <ConnectionMark record={job} />
      </h3>
      <JobState job={job} />
      {job.prLink === null && canChangeByItself(job) && (
        <CheckedLine record={job} className="line-clamp-2 text-xs text-muted [grid-area:action] @max-[35rem]:hidden" />
      )}
      <PullRequestLink job={job} className="max-w-full min-w-0 [grid-area:action] @min-[35rem]:justify-self-start" />
      <JobAge job={job} />
      <JobMenu job={job} className="justify-self-end [grid-area:menu]" />
    </article>
  )
})
