import type { AgentJobMeaning } from '@docket/api-types/agent-jobs'
import type { AgentJobSnapshot } from '#service/admin-api/admin-api.ts'
import { AdminApiError } from '#ground/errors/app-error.ts'
import { afterFailedRead, afterGoodRead } from '#service/polling/failed-read.ts'
import { awaitedMs, findChangingSince } from '#service/polling/read-interval.ts'
import type { Clock } from '#service/polling/schedule.ts'
import type { agentJobs } from './agent-jobs.table.ts'

export type AgentJobRow = typeof agentJobs.$inferSelect

export const selectWritableColumns = ({ group, troubledAt, awaitedSince, ...row }: AgentJobRow) => row

const maxTitle = 200

type AcceptedPrompt = { prompt: string; kind: 'creation' | 'message'; sentBy: string }

/** The service ends a job after about a day, so an older completed job ended long before Docket saw it. */
const maxRunMs = 25 * 60 * 60_000

const finishedStatuses: readonly (string | null)[] = ['completed', 'failed', 'archived']

/** True for a final status (Admin API §2.1). An unlisted status is never final. */
export const isFinished = (status: string | null): boolean => finishedStatuses.includes(status)

/** When `finishing` turns into `no_pull_request` without a write. Milliseconds since the epoch; null for any other meaning. */
export const findGraceEnd = (row: AgentJobRow): number | null => {
  if (row.goneAt !== null || row.status !== 'completed' || row.prLink !== null || row.finishedAt === null) return null
  const finishedMs = row.finishedAt.getTime()
  const longAgo = row.createdAt !== null && finishedMs - row.createdAt.getTime() > maxRunMs
  // A service sends a report only when all work is done.
  return longAgo || row.report !== null ? finishedMs : finishedMs + awaitedMs
}

/** The service reports a job that a person cancelled as failed with this error. */
export const isCancelled = ({ status, error }: Pick<AgentJobRow, 'status' | 'error'>): boolean =>
  status === 'failed' && error === 'cancelled'

const derivePullRequestMeaning = ({ pullRequestState: state }: AgentJobRow): AgentJobMeaning =>
  state === 'merged' || state === 'closed' ? state : 'pull_request_ready'

const nothing =
  /\b(?:nothing (?:to|needs|needed|was changed)|no (?:files? |pages? )?changes?|changed nothing|not change anything)\b/i

/** Only a report proves that nothing had to change: a job without a link may have been interrupted. */
const saysNothingToChange = ({ report, diffStat }: AgentJobRow): boolean =>
  report !== null && (diffStat?.files === 0 || nothing.test(findFirstLine(report) ?? ''))

/** `now` in milliseconds since the epoch. */
export const deriveMeaning = (row: AgentJobRow, now: number): AgentJobMeaning => {
  if (row.goneAt !== null) return 'gone'
  if (row.status === 'active') return row.isWaiting ? 'waiting' : 'working'
  if (row.status === 'failed') return isCancelled(row) ? 'cancelled' : 'failed'
  if (row.status === 'archived') return row.status
  if (row.status !== 'completed') return 'unrecognised'
  if (row.prLink !== null) return derivePullRequestMeaning(row)
  if (saysNothingToChange(row)) return 'nothing_to_change'
  return now < (findGraceEnd(row) ?? 0) ? 'finishing' : 'no_pull_request'
}

const parseDate = (iso: string | null): Date | null => {
  const date = new Date(iso ?? NaN)
  return Number.isNaN(date.getTime()) ? null : date
}

const dayMs = 24 * 60 * 60_000

/** True when the service reports an open pull request. Docket then reads the service until that changes, and never the code host. */
const awaitsReview = ({ status, prLink, pullRequestKnownFrom, pullRequestState }: AgentJobRow): boolean =>
  status === 'completed' &&
  prLink !== null &&
  pullRequestKnownFrom === 'service' &&
  pullRequestState !== 'merged' &&
  pullRequestState !== 'closed'

/**
 * Plans the next read: often while the job can change or its pull request may still appear, and rarely for a day after that. Then daily
 * while the service reports an open pull request, else only until a failed read is followed by a good one.
 */
export const planNextCheck = (row: AgentJobRow, { now, sentMs = now, schedule }: Clock, waitMs = 0): Date | null => {
  const settled = (settledAt: Date) => schedule.nextSettledRead({ nowMs: now, settledAt })
  const changing = (since: Date) => {
    const viewed = (row.viewedUntil?.getTime() ?? 0) > now
    return schedule.nextRead({
      nowMs: now,
      sentMs,
      since,
      viewed,
      unsure: row.missingReads > 0,
      failures: row.failures,
      retryAfterMs: waitMs,
    })
  }
  const retry = () => schedule.nextRetry({ nowMs: now, failures: row.failures, retryAfterMs: waitMs })
  if (row.goneAt !== null) return row.failures > 0 ? retry() : settled(row.goneAt)
  if (row.finishedAt === null) return changing(row.changingSince ?? row.followedAt)
  const graceEndMs = findGraceEnd(row) ?? 0
  if (now < graceEndMs) {
    const soon = changing(row.finishedAt)
    return row.failures > 0 || soon.getTime() < graceEndMs ? soon : new Date(graceEndMs)
  }
  if (row.failures > 0) return retry()
  if (row.missingReads > 0) return changing(row.finishedAt)
  return settled(row.finishedAt) ?? (awaitsReview(row) ? new Date(now + dayMs) : null)
}

/** A state from the service overrides one that the code host or a person set for the same link. */
const mergePullRequestState = (row: AgentJobRow, snapshot: AgentJobSnapshot) => {
  if (snapshot.pullRequestState !== null)
    return { pullRequestKnownFrom: 'service' as const, pullRequestCheckedAt: null }
  if (snapshot.prLink !== row.prLink || row.pullRequestKnownFrom === 'service')
    return { pullRequestKnownFrom: null, pullRequestCheckedAt: null }
  return {
    pullRequestState: row.pullRequestState,
    pullRequestNumber: snapshot.pullRequestNumber ?? row.pullRequestNumber,
    pullRequestTitle: snapshot.pullRequestTitle ?? row.pullRequestTitle,
    pullRequestChecks: snapshot.pullRequestChecks ?? row.pullRequestChecks,
    pullRequestMergeable: snapshot.pullRequestMergeable ?? row.pullRequestMergeable,
  }
}

/** Each replica corrects the clock of a service by whole minutes, so two reads of one instant may differ by one. */
const keepInstant = (known: Date | null, told: string | null): Date | null => {
  const at = parseDate(told)
  return known !== null && Math.abs(known.getTime() - (at?.getTime() ?? NaN)) === 60_000 ? known : at
}

/** A field that the service stops sending becomes null. Throws `upstream_unexpected` for an answer without a status. */
export const afterAnswer = (row: AgentJobRow, snapshot: AgentJobSnapshot, clock: Clock): AgentJobRow => {
  if (snapshot.status === null)
    throw new AdminApiError(
      'upstream_unexpected',
      'The service returned no status for this job. Docket keeps the last one and checks again.',
      { effect: 'none' },
    )
  const at = new Date(clock.now)
  const { serviceTitle, ...fields } = snapshot
  const createdAt = keepInstant(row.createdAt, snapshot.createdAt)
  const finished = isFinished(snapshot.status)
  const takenUpAgain = !finished && row.finishedAt !== null
  const read: AgentJobRow = {
    ...row,
    ...fields,
    ...mergePullRequestState(row, snapshot),
    createdAt,
    archivedAt: keepInstant(row.archivedAt, snapshot.archivedAt),
    startedAt: keepInstant(row.startedAt, snapshot.startedAt),
    // The title stays that of the first prompt.
    title: row.askedBy === null ? (serviceTitle ?? snapshot.pullRequestTitle ?? row.title) : row.title,
    finishedAt: finished ? (row.finishedAt ?? at) : null,
    changingSince: takenUpAgain ? at : (row.changingSince ?? findChangingSince({ createdAt, knownAt: row.followedAt })),
    unfinishedAt: finished ? row.unfinishedAt : at,
    ...afterGoodRead(row, at),
  }
  return { ...read, nextCheckAt: planNextCheck(read, clock) }
}

export const afterFailure = (row: AgentJobRow, error: AdminApiError, clock: Clock): AgentJobRow =>
  afterFailedRead(row, error, clock, { noun: 'job', since: row.followedAt, planNextCheck })

const cut = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`

/** Skips blank lines and the mark of a Markdown heading. Null when no line is left. */
export const findFirstLine = (text: string | null, max = 300): string | null => {
  const line = text
    ?.split('\n')
    .map((each) => each.trim().replace(/^#{1,6}\s+/, ''))
    .find((each) => each !== '')
  return line === undefined ? null : cut(line, max)
}

const maxSearchedPrompts = 2_000

/** Adds an accepted prompt to a job: its title, unless the job has one, and the searchable text. */
export const addAcceptedPrompt = (row: AgentJobRow, { prompt, kind, sentBy }: AcceptedPrompt): AgentJobRow => {
  const line = findFirstLine(prompt, maxTitle)
  const prompts = [row.prompts, prompt].filter((text) => text !== null).join('\n\n')
  return {
    ...row,
    prompts: prompts.slice(0, maxSearchedPrompts).toWellFormed(),
    ...(kind === 'creation' ? { title: line, askedBy: sentBy } : { title: row.title ?? line }),
  }
}

const mainBranches = ['main', 'master', 'trunk', 'develop']

/** False for a common name, and for an id: digits alone may be a date. */
const isOwnName = (branch: string, jobId: string) =>
  !mainBranches.includes(branch) && !branch.includes(jobId) && !/(?=\d*[a-f])[\da-f]{8}/iu.test(branch)

/** Falls back from the title to the job's own branch, unless that is an id, and its repository. The result is untrusted plain text. */
export const formatTitle = ({
  title,
  ref,
  repository,
  id,
}: Pick<AgentJobRow, 'title' | 'ref' | 'repository' | 'id'>): string => {
  const named = findFirstLine(title, maxTitle) ?? (isOwnName(ref ?? '', id) ? findFirstLine(ref, maxTitle) : null)
  if (named !== null) return named
  const parts = (URL.parse(repository ?? '')?.pathname ?? '').split('/').filter((part) => part !== '')
  const name = parts.slice(-2).join('/')
  return name === '' ? 'Agent job' : `Agent job of ${name.replace(/\.git$/, '')}`
}
