import type { CheckFailure } from '@docket/api-types/api-error'
import { AdminApiError, type AgentJobSnapshot } from '#admin-api/admin-api.ts'
import { graceEndOf, isFinished, type AgentJobRow } from '#agent-jobs/agent-jobs.meaning.ts'
import { nextRead, nextSettledRead, type Pace } from '#watch/intervals.ts'

/** The instant of an outcome, in milliseconds since the epoch, and how often changing jobs are read. */
export type Clock = { now: number; pace: Pace }

const keyProblemMs = 60_000

const dateOf = (iso: string | null): Date | null => {
  const date = new Date(iso ?? NaN)
  return Number.isNaN(date.getTime()) ? null : date
}

/** When to read a job again: often while it can change, slowly for a day when it is finished or gone, then never. */
export const nextCheckOf = (
  row: AgentJobRow,
  { now, pace }: Clock,
  retryAfterMs: number | null = null,
): Date | null => {
  if (row.goneAt !== null) return nextSettledRead(now, row.goneAt)
  const { failures } = row
  if (row.finishedAt === null) return nextRead({ now, since: row.followedAt, pace, failures, retryAfterMs })
  const graceEndMs = graceEndOf(row) ?? 0
  if (now >= graceEndMs) return nextSettledRead(now, row.finishedAt)
  const soon = nextRead({ now, since: row.finishedAt, pace, failures, retryAfterMs })
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

/** A failed read as readers see it. */
export const checkFailureOf = (error: AdminApiError, now: number): CheckFailure => ({
  code: error.code,
  message: error.message,
  at: new Date(now).toISOString(),
})

/** What a failed read makes of a job: its last good data stays, beside the reason. A 404 marks it as gone. */
export const afterFailure = (row: AgentJobRow, error: AdminApiError, clock: Clock): AgentJobRow => {
  const checkFailure = checkFailureOf(error, clock.now)
  if (error.code === 'upstream_not_found') {
    const gone: AgentJobRow = {
      ...row,
      goneAt: row.goneAt ?? new Date(clock.now),
      failures: 0,
      checkFailure: {
        ...checkFailure,
        message: 'The service no longer knows this job. What it last said is kept.',
      },
    }
    return { ...gone, nextCheckAt: nextCheckOf(gone, clock) }
  }
  const failed: AgentJobRow = { ...row, failures: row.failures + 1, checkFailure }
  const keyProblem = error.code === 'upstream_key_rejected' || error.code === 'upstream_forbidden'
  const waitMs = Math.max(error.retryAfterMs ?? 0, keyProblem ? keyProblemMs : 0)
  return { ...failed, nextCheckAt: nextCheckOf(failed, clock, waitMs) }
}
