import type { AgentJob } from '@docket/api-types/agent-jobs'
import { GitPullRequest } from 'lucide-react'
import {
  useDismissJobWithUndo,
  useJobActions,
  type JobAction,
} from '#features/records/agent-jobs/actions/use-job-actions.ts'
import { toJobKey, useTreatJobStatus } from '#features/records/agent-jobs/agent-jobs.queries.ts'
import { formatQueuePlace, isWorkingJob, describeJobState } from '#features/records/agent-jobs/job-state.ts'
import { JobMenu } from '#features/records/agent-jobs/list/job-menu.tsx'
import { formatPullRequestNumber } from '#features/records/agent-jobs/pull-requests/pull-request-labels.ts'
import { formatPlural } from '#lib/text/format.ts'
import { Button, buttonClass } from '#ui/buttons/button.tsx'
import { useRecordRefusal } from '#ui/connections/connections.tsx'
import { OutsideLink } from '#ui/links/outside-link.tsx'
import { Ago, Elapsed } from '#ui/live/ticking.tsx'
import { AddedRemoved } from '#ui/marks/added-removed.tsx'
import { StateLabel, type Tone } from '#ui/marks/state-mark.tsx'
import { UnknownStatus } from '#ui/records/unknown-status.tsx'
import { LongText } from './long-text.tsx'

const looks: Partial<Record<Tone, string>> = {
  live: 'border-live/30 bg-live-soft',
  done: 'border-done/30 bg-done-soft',
  failed: 'border-failed/35 bg-failed-soft',
  attention: 'border-attention/35 bg-attention-soft',
}

const StepTime = ({ job }: { job: AgentJob }) => {
  const from = job.createdAt ?? job.followedAt
  if (!isWorkingJob(job)) return <Ago at={job.archivedAt ?? job.finishedAt ?? from} />
  const place = formatQueuePlace(job)
  return (
    <>
      {place && <span className="text-text">{place} · </span>}
      <Elapsed from={job.meaning === 'working' ? (job.startedAt ?? from) : from} to={null} />
    </>
  )
}

const StepStory = ({ job }: { job: AgentJob }) => {
  const { note } = describeJobState(job)
  const treat = useTreatJobStatus(toJobKey(job))
  if (job.meaning === 'unrecognised' && job.status !== null && isWorkingJob(job))
    return (
      <div className="mt-2">
        <UnknownStatus record={job} treat={treat} />
      </div>
    )
  if (isWorkingJob(job))
    return (
      <p dir="auto" className="mt-1 h-5 truncate font-mono text-xs leading-5" title={job.summary ?? undefined}>
        {job.summary ?? <span className="font-sans text-sm text-muted">{note}</span>}
      </p>
    )
  if (job.meaning === 'failed' || job.meaning === 'cancelled') {
    const reason = job.error ?? job.summary ?? note
    return reason && <LongText className="mt-1 max-h-60">{reason}</LongText>
  }
  const { pullRequest, diffStat } = job
  const checks = pullRequest?.checks === 'failing' && 'Its checks fail.'
  const conflict = pullRequest?.mergeable === false && 'It conflicts with its base branch.'
  // The heading of the page is the title.
  const text = note ?? job.summary
  return (
    <div className="mt-1 text-sm">
      {text && (
        <p dir="auto" className="wrap-anywhere">
          {text}
        </p>
      )}
      <p className="flex flex-wrap gap-x-3 text-muted empty:hidden">
        {diffStat && (
          <span>
            <AddedRemoved added={diffStat.added} removed={diffStat.removed} what="lines" /> in{' '}
            {formatPlural(diffStat.files, 'file')}
          </span>
        )}
        {job.meaning === 'pull_request_ready' && (checks || conflict) && (
          <span className="font-medium text-attention">{[checks, conflict].filter(Boolean).join(' ')}</span>
        )}
      </p>
    </div>
  )
}

const ActionButton = ({ action: { label, refused, busy, run }, primary }: { action: JobAction; primary: boolean }) => (
  <div className="max-w-56">
    <Button
      size="md"
      variant={primary ? 'primary' : 'secondary'}
      busy={busy}
      refused={refused}
      className="w-full"
      onClick={run}
    >
      {label}
    </Button>
    {refused && (
      <p dir="auto" aria-hidden="true" className="mt-1 text-xs text-muted">
        {refused}
      </p>
    )}
  </div>
)

const ReviewButton = ({ job }: { job: AgentJob }) => {
  if (!job.prLink?.href) return null
  const isReady = job.meaning === 'pull_request_ready'
  return (
    <OutsideLink
      href={job.prLink.href}
      title={job.prLink.text}
      className={`${buttonClass({ variant: isReady ? 'primary' : 'secondary', size: 'md' })} max-w-full min-w-0`}
    >
      <GitPullRequest className="size-3.5 shrink-0" aria-hidden="true" />
      <span className="truncate">
        {isReady ? 'Review pull request' : 'Open pull request'} {formatPullRequestNumber(job)}
      </span>
    </OutsideLink>
  )
}

const chooseActions = (job: AgentJob, actions: readonly JobAction[]) =>
  actions.filter(
    ({ name }) =>
      name === 'cancel' ||
      (name === 'retry' && ['failed', 'cancelled'].includes(job.meaning)) ||
      (name === 'archive' && ['merged', 'closed', 'nothing_to_change', 'no_pull_request'].includes(job.meaning)),
  )

export const NextStep = ({ job }: { job: AgentJob }) => {
  const { tone, word } = describeJobState(job)
  const dismiss = useDismissJobWithUndo()
  const refused = useRecordRefusal(job)
  const actions = chooseActions(job, useJobActions(job))
  return (
    <section
      aria-label="Next step"
      className={`rounded-lg border px-5 py-4 ${looks[tone] ?? 'border-line bg-surface'}`}
    >
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-80">
          <p className="flex flex-wrap items-baseline gap-x-2 text-sm">
            <StateLabel tone={tone}>{word}</StateLabel>
            <span className="text-xs text-muted">
              <StepTime job={job} />
            </span>
          </p>
          <StepStory job={job} />
        </div>
        <div className="flex flex-wrap items-start gap-2">
          {actions.map((action) => (
            <ActionButton key={action.name} action={action} primary={action.name === 'retry'} />
          ))}
          <ReviewButton job={job} />
          {job.needsAttention && (
            <Button size="md" refused={refused} onClick={() => dismiss(job)}>
              Dismiss
            </Button>
          )}
          <JobMenu job={job} onPage className="-mr-2" />
        </div>
      </div>
    </section>
  )
}
