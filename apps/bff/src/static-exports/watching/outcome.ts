import type { AdminApiError, StaticExportSnapshot } from '#admin-api/admin-api.ts'
import { observeProgress } from '#static-exports/watching/progress.ts'
import type { StaticExportRow } from '#static-exports/static-exports.view.ts'
import { afterFailedRead, toCheckFailure } from '#polling/failed-read.ts'
import type { Clock } from '#polling/schedule.ts'
import { findChangingSince } from '#polling/read-interval.ts'

/** The end a status means; any word that the contract does not list means none, so it is polled on. Letter case and blanks are forgiven. */
const readEnd = (status: string | null): 'completed' | 'failed' | null => {
  const word = status?.trim().toLowerCase()
  return word === 'completed' || word === 'failed' ? word : null
}

const planNextCheck = (row: StaticExportRow, { now, askedMs = now, schedule }: Clock, waitMs = 0): Date | null => {
  if (row.state !== 'accepted') return null
  if (row.goneAt !== null) return schedule.nextSettledRead({ nowMs: now, settledAt: row.goneAt })
  return schedule.nextRead({
    nowMs: now,
    askedMs,
    since: row.changingSince ?? row.startedAt,
    viewed: (row.viewedUntil?.getTime() ?? 0) > now,
    failures: row.failures,
    retryAfterMs: waitMs,
  })
}

/**
 * What a good answer makes of an export. A field that was left out keeps its last value, and an end is for ever: a finished
 * export that is read again stays finished, whatever the service says now.
 */
export const afterAnswer = (row: StaticExportRow, snapshot: StaticExportSnapshot, clock: Clock): StaticExportRow => {
  const at = new Date(clock.now)
  const seen = { goneAt: null, failures: 0, checkedAt: at, checkFailure: null }
  if (row.state === 'completed' || row.state === 'failed') return { ...row, ...seen, nextCheckAt: null }
  const end = readEnd(snapshot.status)
  // Of one that was started here it is known better.
  const createdAt = row.imported && snapshot.createdAt !== null ? new Date(snapshot.createdAt) : null
  const elapsedMs = row.checkedAt === null ? null : clock.now - row.checkedAt.getTime()
  const read: StaticExportRow = {
    ...row,
    ...observeProgress(row, snapshot, elapsedMs),
    ...seen,
    state: end ?? 'accepted',
    status: snapshot.status ?? row.status,
    reason: end === 'failed' ? snapshot.error : null,
    finishedAt: end === null ? null : at,
    changingSince: row.changingSince ?? findChangingSince({ createdAt, knownAt: row.startedAt }),
    unfinishedAt: end === null ? at : row.unfinishedAt,
  }
  if (end === 'completed') read.progress = 100
  return { ...read, nextCheckAt: planNextCheck(read, clock) }
}

/** What a failed read makes of an export. */
export const afterFailure = (row: StaticExportRow, error: AdminApiError, clock: Clock): StaticExportRow =>
  afterFailedRead(row, error, clock, { noun: 'export', planNextCheck })

/** What a refused start makes of an export: nothing was started, and the service's own sentence says why. */
export const afterRefusal = (row: StaticExportRow, error: AdminApiError, now: number): StaticExportRow => ({
  ...row,
  state: 'refused',
  // Only our own message names the wait of a 429.
  reason: error.code === 'upstream_rate_limited' ? error.message : (error.sentence ?? error.message),
  finishedAt: new Date(now),
  checkFailure: toCheckFailure(error, now),
  nextCheckAt: null,
})

/** What a start without an answer makes of an export: it may have started, so a person decides what next. */
export const afterLostAnswer = (row: StaticExportRow, error: AdminApiError | null, now: number): StaticExportRow => ({
  ...row,
  state: 'unknown',
  reason:
    'No answer came to the start, so the export may or may not be running. Look at the service before you start it again.',
  checkFailure: error === null ? null : toCheckFailure(error, now),
  nextCheckAt: null,
})

/** What an outcome may change; the intent (domain, version, paths, request) never does. */
export const selectChanges = (row: StaticExportRow): Partial<StaticExportRow> => {
  const { state, jobId, status, progress, progressIsPercent, pageCount, pagesPerSecond, reason, finishedAt, tookMs } =
    row
  const { goneAt, failures, checkedAt, checkFailure, nextCheckAt, changingSince, unfinishedAt } = row
  const snapshot = {
    state,
    jobId,
    status,
    progress,
    progressIsPercent,
    pageCount,
    pagesPerSecond,
    reason,
    finishedAt,
    tookMs,
  }
  return { ...snapshot, goneAt, failures, checkedAt, checkFailure, nextCheckAt, changingSince, unfinishedAt }
}
