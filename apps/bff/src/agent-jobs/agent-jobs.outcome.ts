import { AdminApiError, type AgentJobSnapshot } from '#admin-api/admin-api.ts'
import { graceEndOf, isFinished, type AgentJobRow } from '#agent-jobs/agent-jobs.meaning.ts'
import { afterFailedRead, type Clock } from '#watch/failed-read.ts'
import { nextRead, nextSettledRead } from '#watch/intervals.ts'

const dateOf = (iso: string | null): Date | null => {
  const date = new Date(iso ?? NaN)
  return Number.isNaN(date.getTime()) ? null : date
}

/** When to read a job again: often while it can change, slowly for a day when it is finished or gone, then never. */
export const nextCheckOf = (row: AgentJobRow, { now, pace }: Clock, waitMs = 0): Date | null => {
  if (row.goneAt !== null) return nextSettledRead(now, row.goneAt)
  const { failures } = row
  if (row.finishedAt === null) return nextRead({ now, since: row.followedAt, pace, failures, retryAfterMs: waitMs })
  const graceEndMs = graceEndOf(row) ?? 0
  if (now >= graceEndMs) return nextSettledRead(now, row.finishedAt)
  const soon = nextRead({ now, since: row.finishedAt, pace, failures, retryAfterMs: waitMs })
  return soon.getTime() < graceEndMs ? soon : new Date(graceEndMs)
}

/**
 * What a good answer makes of a job. The service is the truth: a field it no longer sends becomes null.
 * Throws `upstream_unexpected` for an answer without a status, which says nothing about the job.
 */
export const afterAnswer = (row: AgentJobRow, snapshot: AgentJobSnapshot, clock: Clock): AgentJobRow => {
  if (snapshot.status === null)
    throw new AdminApiError(
      'upstream_unexpected',
      'The service answered without a status for this job. The last known state is kept; Docket asks again.',
      { effect: 'none' },
    )
  const at = new Date(clock.now)
  const read: AgentJobRow = {
    ...row,
    ...snapshot,
    createdAt: dateOf(snapshot.createdAt),
    archivedAt: dateOf(snapshot.archivedAt),
    finishedAt: isFinished(snapshot.status) ? (row.finishedAt ?? at) : null,
    goneAt: null,
    failures: 0,
    checkedAt: at,
    checkFailure: null,
  }
  return { ...read, nextCheckAt: nextCheckOf(read, clock) }
}

/** What a failed read makes of a job. */
export const afterFailure = (row: AgentJobRow, error: AdminApiError, clock: Clock): AgentJobRow =>
  afterFailedRead(row, error, clock, { noun: 'job', nextCheckOf })
