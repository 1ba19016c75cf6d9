import type { AgentJob } from '@docket/api-types/agent-jobs'
import { isolateText } from '#lib/text/format.ts'
import type { Tone } from '#ui/marks/state-mark.tsx'

/** Name of a job for people: its title, else its repository. Never an id, and never empty. */
export const formatJobTitle = ({ title, source }: Pick<AgentJob, 'title' | 'source'>): string => {
  if (title?.trim()) return title
  const repository = source.repository?.label ?? source.repository?.text
  return repository ? `Agent job of ${repository}` : 'Agent job'
}

const labels: Record<
  Exclude<AgentJob['meaning'], 'unrecognised'>,
  { tone: Tone; word: string; note: string | null }
> = {
  waiting: { tone: 'waiting', word: 'Waiting', note: null },
  working: { tone: 'live', word: 'Working', note: null },
  pull_request_ready: { tone: 'done', word: 'Ready for review', note: null },
  merged: { tone: 'merged', word: 'Merged', note: null },
  closed: { tone: 'idle', word: 'Closed', note: 'The pull request was closed without merging.' },
  finishing: {
    tone: 'waiting',
    word: 'No pull request yet',
    note: 'The agent finished. Docket checks for a pull request for an hour.',
  },
  no_pull_request: {
    tone: 'idle',
    word: 'No pull request reported',
    note: 'The agent finished without reporting a pull request.',
  },
  nothing_to_change: { tone: 'idle', word: 'Nothing to change', note: null },
  cancelled: { tone: 'idle', word: 'Cancelled', note: null },
  failed: { tone: 'failed', word: 'Failed', note: 'The agent hit an error it couldn’t recover from.' },
  archived: { tone: 'archived', word: 'Archived', note: null },
  gone: {
    tone: 'attention',
    word: 'Not found on service',
    note: 'The service no longer finds this job. This is the last known state.',
  },
}

const ongoing: readonly AgentJob['meaning'][] = ['waiting', 'working', 'unrecognised', 'finishing']

export const describeJobState = (
  job: Pick<AgentJob, 'meaning' | 'status' | 'isWatched'>,
): { tone: Tone; word: string; note: string | null } => {
  if (job.isWatched === false && ongoing.includes(job.meaning)) return { tone: 'idle', word: 'Not watched', note: null }
  if (job.meaning !== 'unrecognised') return labels[job.meaning]
  return job.status === null
    ? { tone: 'waiting', word: 'No status', note: null }
    : { tone: 'attention', word: job.status, note: 'Docket doesn’t know this status and keeps watching.' }
}

const endings = { one: 'st', two: 'nd', few: 'rd', other: 'th', zero: 'th', many: 'th' } as const

/** Place of a waiting job, such as `next in line` or `3rd in line`. Null when it does not wait, or the service sends no place. */
export const formatQueuePlace = (job: Pick<AgentJob, 'meaning' | 'queuePosition'>): string | null => {
  const { meaning, queuePosition } = job
  if (meaning !== 'waiting' || !queuePosition) return null
  const ending = endings[new Intl.PluralRules('en', { type: 'ordinal' }).select(queuePosition)]
  return queuePosition === 1 ? 'next in line' : `${queuePosition}${ending} in line`
}

export const isWorkingJob = (job: Pick<AgentJob, 'meaning' | 'isWatched'>): boolean =>
  job.isWatched !== false && job.meaning !== 'finishing' && ongoing.includes(job.meaning)

export const canChangeByItself = (job: Pick<AgentJob, 'meaning' | 'removedAt' | 'isWatched'>): boolean =>
  !job.removedAt && job.isWatched !== false && ongoing.includes(job.meaning)

/** Text for screen readers about a relevant change; null if there is none. */
export const describeJobChange = (before: AgentJob | undefined, after: AgentJob): string | null =>
  before === undefined || before.meaning === after.meaning
    ? null
    : `Agent job ${isolateText(formatJobTitle(after))}: ${describeJobState(after).word}`
