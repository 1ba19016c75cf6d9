import type { AgentJob, AgentJobMeaning } from '@docket/api-types/agent-jobs'
import type { UpstreamLink, UsualDuration } from '@docket/api-types/list'
import { AdminApiError, type AgentJobSnapshot } from '#admin-api/admin-api.ts'
import { upstreamLink } from '#admin-api/safe-link.ts'
import { afterFailedRead, afterGoodRead } from '#polling/failed-read.ts'
import { isUnsettled } from '#db/attention.ts'
import { toNote } from '#db/notes.ts'
import { awaitedMs, findChangingSince } from '#polling/read-interval.ts'
import type { Clock } from '#polling/schedule.ts'
import type { agentJobs } from './agent-jobs.table.ts'

/** One row of the table. */
export type AgentJobRow = typeof agentJobs.$inferSelect

/** Selects the writable columns: all but those that the database computes. */
export const selectWritable = ({ group, troubledAt, awaitedSince, ...row }: AgentJobRow) => row

/** The service ends a job after about a day, so an older one was completed long before Docket saw it. */
const maxRunMs = 25 * 60 * 60_000

const finishedStatuses: readonly (string | null)[] = ['completed', 'failed', 'archived']

/** True for a final status (Admin API §2.1). An unlisted status is never final. */
export const isFinished = (status: string | null): boolean => finishedStatuses.includes(status)

/** When `finishing` turns into `no_pull_request` without a write; null for any other meaning. Milliseconds since the epoch. */
export const graceEnd = (row: AgentJobRow): number | null => {
  if (row.goneAt !== null || row.status !== 'completed' || row.prLink !== null || row.finishedAt === null) return null
  const finishedMs = row.finishedAt.getTime()
  const longAgo = row.createdAt !== null && finishedMs - row.createdAt.getTime() > maxRunMs
  return longAgo ? finishedMs : finishedMs + awaitedMs
}

/** Derives the meaning of a job at `now` (milliseconds since the epoch). */
export const deriveMeaning = (row: AgentJobRow, now: number): AgentJobMeaning => {
  if (row.goneAt !== null) return 'gone'
  if (row.status === 'active') return 'working'
  if (row.status === 'failed' || row.status === 'archived') return row.status
  if (row.status !== 'completed') return 'unrecognised'
  if (row.prLink !== null) return 'pull_request_ready'
  return now < (graceEnd(row) ?? 0) ? 'finishing' : 'no_pull_request'
}

/** Link to a page of Docket that shows a project's own repository. Null for any other address. */
export type OwnLink = (text: string, projectId: string) => UpstreamLink | null

/**
 * Converts a row for the contract. `embedded` allows links to loopback http and to pages of the embedded code host. `usual` is the usual
 * duration of such jobs.
 */
export const toAgentJob = (
  row: AgentJobRow,
  { now, embedded, usual, ownLink }: { now: number; embedded: boolean; usual: UsualDuration | null; ownLink: OwnLink },
): AgentJob => {
  const link = (text: string | null) => {
    if (text === null) return null
    const own = embedded ? ownLink(text, row.projectId) : null
    return own ?? upstreamLink(text, { allowLoopbackHttp: embedded })
  }
  return {
    connectionId: row.connectionId,
    projectId: row.projectId,
    id: row.id,
    status: row.status,
    meaning: deriveMeaning(row, now),
    source: { repository: link(row.repository), ref: row.ref },
    model: row.model,
    prLink: link(row.prLink),
    createdAt: row.createdAt?.toISOString() ?? null,
    archivedAt: row.archivedAt?.toISOString() ?? null,
    followedAt: row.followedAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
    goneAt: row.goneAt?.toISOString() ?? null,
    needsAttention: isUnsettled(row),
    note: toNote(row),
    usual,
    checkedAt: row.checkedAt?.toISOString() ?? null,
    nextCheckAt: row.nextCheckAt?.toISOString() ?? null,
    checkFailure: row.checkFailure,
  }
}

const parseDate = (iso: string | null): Date | null => {
  const date = new Date(iso ?? NaN)
  return Number.isNaN(date.getTime()) ? null : date
}

/**
 * Plans the next read: often while the job can change or its pull request may follow, rarely for a day after that, then
 * only until a failed read is followed by a good one.
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
  const graceEndMs = graceEnd(row) ?? 0
  if (now < graceEndMs) {
    const soon = changing(row.finishedAt)
    return row.failures > 0 || soon.getTime() < graceEndMs ? soon : new Date(graceEndMs)
  }
  if (row.failures > 0) return retry()
  return row.missingReads > 0 ? changing(row.finishedAt) : settled(row.finishedAt)
}

/**
 * Applies an answer to a job. A field that the service no longer sends becomes null. Throws `upstream_unexpected` for an answer without a
 * status.
 */
export const afterAnswer = (row: AgentJobRow, snapshot: AgentJobSnapshot, clock: Clock): AgentJobRow => {
  if (snapshot.status === null)
    throw new AdminApiError(
      'upstream_unexpected',
      'The service returned no status for this job. Docket keeps the last one and checks again.',
      { effect: 'none' },
    )
  const at = new Date(clock.now)
  const createdAt = parseDate(snapshot.createdAt)
  const finished = isFinished(snapshot.status)
  const takenUpAgain = !finished && row.finishedAt !== null
  const read: AgentJobRow = {
    ...row,
    ...snapshot,
    createdAt,
    archivedAt: parseDate(snapshot.archivedAt),
    finishedAt: finished ? (row.finishedAt ?? at) : null,
    changingSince: takenUpAgain ? at : (row.changingSince ?? findChangingSince({ createdAt, knownAt: row.followedAt })),
    unfinishedAt: finished ? row.unfinishedAt : at,
    ...afterGoodRead(row, at),
  }
  return { ...read, nextCheckAt: planNextCheck(read, clock) }
}

/** Applies a failed read. */
export const afterFailure = (row: AgentJobRow, error: AdminApiError, clock: Clock): AgentJobRow =>
  afterFailedRead(row, error, clock, { noun: 'job', since: row.followedAt, planNextCheck })

/** Short title of a job: owner and name of its repository, or its id. Untrusted plain text. */
export const formatTitle = ({ repository, id }: Pick<AgentJobRow, 'repository' | 'id'>): string => {
  const parts = (URL.parse(repository ?? '')?.pathname ?? '').split('/').filter((part) => part !== '')
  return (
    parts
      .slice(-2)
      .join('/')
      .replace(/\.git$/, '') || id
  )
}
