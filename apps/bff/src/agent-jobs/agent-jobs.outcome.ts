import { AdminApiError, type AgentJobSnapshot } from '#admin-api/admin-api.ts'
import { graceEnd, isFinished, type AgentJobRow } from '#agent-jobs/agent-jobs.meaning.ts'
import { afterFailedRead } from '#polling/failed-read.ts'
import type { Clock } from '#polling/schedule.ts'
import { findChangingSince } from '#polling/read-interval.ts'

const parseDate = (iso: string | null): Date | null => {
  const date = new Date(iso ?? NaN)
  return Number.isNaN(date.getTime()) ? null : date
}

/** When to read a job again: often while it can change, slowly for a day when it is finished or gone, then never. */
export const planNextCheck = (row: AgentJobRow, { now, askedMs = now, schedule }: Clock, waitMs = 0): Date | null => {
  const settled = (settledAt: Date) => schedule.nextSettledRead({ nowMs: now, settledAt })
  const changing = (since: Date) => {
    const viewed = (row.viewedUntil?.getTime() ?? 0) > now
    return schedule.nextRead({
      nowMs: now,
      askedMs,
      since,
      viewed,
      failures: row.failures,
      retryAfterMs: waitMs,
    })
  }
  if (row.goneAt !== null) return settled(row.goneAt)
  if (row.finishedAt === null) return changing(row.changingSince ?? row.followedAt)
  const graceEndMs = graceEnd(row) ?? 0
  if (now >= graceEndMs) return settled(row.finishedAt)
  const soon = changing(row.finishedAt)
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
    goneAt: null,
    failures: 0,
    checkedAt: at,
    checkFailure: null,
  }
  return { ...read, nextCheckAt: planNextCheck(read, clock) }
}

/** What a failed read makes of a job. */
export const afterFailure = (row: AgentJobRow, error: AdminApiError, clock: Clock): AgentJobRow =>
  afterFailedRead(row, error, clock, { noun: 'job', planNextCheck })
