import type { CheckFailure } from '@docket/api-types/api-error'
import type { AdminApiError, StaticExportSnapshot } from '#admin-api/admin-api.ts'
import { nextRead, nextSettledRead, type Pace } from '#watch/intervals.ts'
import { observeProgress } from './progress.ts'
import type { StaticExportRow } from './static-exports.view.ts'

/** The instant of an outcome, in milliseconds since the epoch, and how often running exports are read. */
export type Clock = { now: number; pace: Pace }

const keyProblemMs = 60_000

/** The end a status means; any word that the contract does not list means none, so it is polled on. Letter case and blanks are forgiven. */
const endOf = (status: string | null): 'completed' | 'failed' | null => {
  const word = status?.trim().toLowerCase()
  return word === 'completed' || word === 'failed' ? word : null
}

const nextCheckOf = (row: StaticExportRow, { now, pace }: Clock, retryAfterMs: number | null = null): Date | null => {
  if (row.state !== 'accepted') return null
  if (row.goneAt !== null) return nextSettledRead(now, row.goneAt)
  return nextRead({ now, since: row.startedAt, pace, failures: row.failures, retryAfterMs })
}

/** What a failed call says to readers. */
export const checkFailureOf = (error: AdminApiError, now: number): CheckFailure => ({
  code: error.code,
  message: error.message,
  at: new Date(now).toISOString(),
})

/**
 * What a good answer makes of an export. A field that was left out keeps its last value, and an end is for ever: a finished
 * export that is read again stays finished, whatever the service says now.
 */
export const afterAnswer = (row: StaticExportRow, snapshot: StaticExportSnapshot, clock: Clock): StaticExportRow => {
  const at = new Date(clock.now)
  const seen = { goneAt: null, failures: 0, checkedAt: at, checkFailure: null }
  if (row.state === 'completed' || row.state === 'failed') return { ...row, ...seen, nextCheckAt: null }
  const end = endOf(snapshot.status)
  const elapsedMs = row.checkedAt === null ? null : clock.now - row.checkedAt.getTime()
  const read: StaticExportRow = {
    ...row,
    ...observeProgress(row, snapshot, elapsedMs),
    ...seen,
    state: end ?? 'accepted',
    status: snapshot.status ?? row.status,
    reason: end === 'failed' ? snapshot.error : null,
    finishedAt: end === null ? null : at,
  }
  if (end === 'completed') read.progress = 100
  return { ...read, nextCheckAt: nextCheckOf(read, clock) }
}

/** What a failed read makes of an export: its last good data stays, beside the reason. A 404 marks it as gone. */
export const afterFailure = (row: StaticExportRow, error: AdminApiError, clock: Clock): StaticExportRow => {
  const checkFailure = checkFailureOf(error, clock.now)
  if (error.code === 'upstream_not_found') {
    const message = 'The service no longer knows this export. What it last said is kept.'
    const gone: StaticExportRow = {
      ...row,
      goneAt: row.goneAt ?? new Date(clock.now),
      failures: 0,
      checkFailure: { ...checkFailure, message },
    }
    return { ...gone, nextCheckAt: nextCheckOf(gone, clock) }
  }
  const failed: StaticExportRow = { ...row, failures: row.failures + 1, checkFailure }
  const keyProblem = error.code === 'upstream_key_rejected' || error.code === 'upstream_forbidden'
  const waitMs = Math.max(error.retryAfterMs ?? 0, keyProblem ? keyProblemMs : 0)
  return { ...failed, nextCheckAt: nextCheckOf(failed, clock, waitMs) }
}

/** What a refused start makes of an export: nothing was started, and the service's own sentence says why. */
export const afterRefusal = (row: StaticExportRow, error: AdminApiError, now: number): StaticExportRow => ({
  ...row,
  state: 'refused',
  // Only our own message names the wait of a 429.
  reason: error.code === 'upstream_rate_limited' ? error.message : (error.sentence ?? error.message),
  finishedAt: new Date(now),
  checkFailure: checkFailureOf(error, now),
  nextCheckAt: null,
})

/** What a start without an answer makes of an export: it may have started, so a person decides what next. */
export const afterLostAnswer = (row: StaticExportRow, error: AdminApiError | null, now: number): StaticExportRow => ({
  ...row,
  state: 'unknown',
  reason:
    'No answer came to the start, so the export may or may not be running. Look at the service before you start it again.',
  checkFailure: error === null ? null : checkFailureOf(error, now),
  nextCheckAt: null,
})
