import type { AgentJob } from '@docket/api-types/agent-jobs'
import { memo } from 'react'
import { toJobId } from '#features/records/agent-jobs/agent-jobs.queries.ts'
import { buildJobLink } from '#features/records/agent-jobs/job-link.ts'
import {
  canChangeByItself,
  formatQueuePlace,
  isWorkingJob,
  describeJobState,
  formatJobTitle,
} from '#features/records/agent-jobs/job-state.ts'
import { useProjectName } from '#features/records/agent-jobs/projects/projects.queries.ts'
import { DiffStat } from '#features/records/agent-jobs/pull-requests/diff-stat.tsx'
import { isolateText } from '#lib/text/bidi.ts'
import { formatInstant, formatUtc } from '#lib/text/format.ts'
import { ConnectionMark } from '#ui/connections/connection-mark.tsx'
import { CopyText } from '#ui/copying/copy-text.tsx'
import { Link } from '#ui/links/link.tsx'
import { Ago, Elapsed } from '#ui/live/ticking.tsx'
import { StateLabel } from '#ui/marks/state-mark.tsx'
import { CheckedLine } from '#ui/records/checked.tsx'
import { NoteLine } from '#ui/records/note-line.tsx'
import { recordCells, sentenceRow } from '#ui/records/record-row.ts'
import { JobMenu } from './job-menu.tsx'
import { buttonClass } from '#ui/buttons/button.tsx'
import { LineIcon } from '#ui/marks/line-icon.tsx'
import {
  formatPullRequestNumber,
  labelPullRequestState,
} from '#features/records/agent-jobs/pull-requests/pull-request-labels.ts'

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
      <span className="truncate text-xs font-normal text-muted">{word}</span>
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

const JobAge = ({ job }: { job: AgentJob }) => {
  const from = job.createdAt ?? job.followedAt
  if (job.archivedAt !== null) return formatInstant(job.archivedAt)
  if (!isWorkingJob(job)) return <Ago at={job.finishedAt ?? from} />
  const place = formatQueuePlace(job)
  return (
    <span title={`Created ${formatInstant(from)} · ${formatUtc(from)}`}>
      {place && <span className="text-text">{place} · </span>}
      <Elapsed from={job.meaning === 'working' ? (job.startedAt ?? from) : from} to={null} />
    </span>
  )
}

const JobStateLabel = ({ job }: { job: AgentJob }) => {
  const { tone, word } = describeJobState(job)
  const project = isolateText(useProjectName(job))
  const names = job.askedBy ? `${project} · ${isolateText(job.askedBy)}` : project
  return (
    <div className={`${recordCells.state} flex-wrap gap-y-0 compact:@4xl:flex-nowrap`}>
      <StateLabel tone={tone}>{word}</StateLabel>
      <span className="min-w-0 flex-1 truncate text-xs">
        <JobAge job={job} />
      </span>
      <span className="flex min-w-0 basis-full items-center leading-5 compact:hidden">
        <span className="truncate" title={names}>
          {names} ·
        </span>
        <CopyText text={job.id} className="ml-1 max-w-24 min-w-10 shrink-0" />
      </span>
    </div>
  )
}

/** One line while the agent works, two lines at the end. Its space is reserved before the first output, so that the row keeps its height. */
const JobSummary = ({ job }: { job: AgentJob }) => {
  if (job.checkFailure)
    return (
      <p dir="auto" className="truncate text-sm text-attention" title={job.checkFailure.message}>
        {job.checkFailure.message}
      </p>
    )
  const text = job.summary ?? describeJobState(job).note
  if (isWorkingJob(job))
    return (
      <p
        dir="auto"
        title={text ?? undefined}
        className={`truncate leading-5 compact:empty:hidden ${job.startedAt ? 'min-h-5' : ''} ${job.summary ? 'font-mono text-xs' : 'text-sm text-muted'}`}
      >
        {text}
      </p>
    )
  return (
    text && (
      <p dir="auto" title={text} className="line-clamp-2 text-sm wrap-anywhere compact:line-clamp-1 compact:text-xs">
        {text}
      </p>
    )
  )
}

const JobSourceLine = ({ job }: { job: AgentJob }) => {
  const { repository, ref } = job.source
  const unsafe = job.prLink !== null && job.prLink.href === null && 'pull request is not a safe link'
  const facts = [
    // Marks instead of elements: a list has hundreds of them.
    repository ? isolateText(repository.label ?? repository.text) : 'Repository not reported',
    ref && job.title?.trim() && isolateText(ref),
    unsafe,
  ].filter(Boolean)
  return (
    // As wide as the column of check times below it allows.
    <div className={`${recordCells.middle} @2xl:row-span-2 @4xl:col-span-2`}>
      <JobSummary job={job} />
      <p
        className="truncate text-xs leading-5 text-muted compact:not-first:hidden"
        title={[repository?.text, ref].filter(Boolean).join('\n')}
      >
        {job.diffStat && (
          <>
            <DiffStat stat={job.diffStat} />
            {' · '}
          </>
        )}
        {facts.join(' · ')}
      </p>
      {job.note && <NoteLine note={job.note} />}
      <CheckedLine
        record={job}
        live={canChangeByItself(job)}
        className="block truncate text-xs leading-5 text-muted compact:hidden"
      />
    </div>
  )
}

export const JobRow = memo(({ job }: { job: AgentJob }) => {
  const title = formatJobTitle(job)
  return (
    <article aria-label={`Agent job ${isolateText(title)}`} data-record={toJobId(job)} className={sentenceRow}>
      <h3 className={recordCells.title}>
        <Link
          {...buildJobLink(job)}
          className="line-clamp-2 wrap-anywhere underline-offset-2 hover:underline compact:@4xl:line-clamp-1"
          title={title}
        >
          {isolateText(title)}
        </Link>
        <ConnectionMark record={job} />
      </h3>
      <JobStateLabel job={job} />
      <JobSourceLine job={job} />
      <PullRequestLink job={job} className={recordCells.action} />
      <JobMenu job={job} className={recordCells.menu} />
    </article>
  )
})
