import type { CheckFailure } from '@docket/api-types/api-error'
import type { AdminApiError } from '#admin-api/admin-api.ts'
import type { AppError } from '#errors/app-error.ts'
import type { Schedule } from '#watch/schedule/schedule.ts'

/** The instant of an outcome, and of the call before it, in milliseconds since the epoch, and what plans the next read. */
export type Clock = {
  now: number
  askedMs?: number
  schedule: Pick<Schedule, 'nextRead' | 'nextSettledRead'>
}

/** What a failed read touches. */
type Record = { goneAt: Date | null; failures: number; checkFailure: CheckFailure | null; nextCheckAt: Date | null }

const keyProblemMs = 60_000

/** A failed call as readers see it. */
export const checkFailureOf = (
  error: Pick<AppError | AdminApiError, 'code' | 'message'>,
  now: number,
): CheckFailure => ({
  code: error.code,
  message: error.message,
  at: new Date(now).toISOString(),
})

/**
 * What a failed read makes of a record: its last good data stays, beside the reason. A 404 marks it as gone. `noun` is what
 * readers call it; `nextCheckOf` plans the next read, no earlier than after `waitMs`.
 */
export const afterFailedRead = <Row extends Record>(
  row: Row,
  error: AdminApiError,
  clock: Clock,
  { noun, nextCheckOf }: { noun: string; nextCheckOf: (row: Row, clock: Clock, waitMs?: number) => Date | null },
): Row => {
  const checkFailure = checkFailureOf(error, clock.now)
  if (error.code === 'upstream_not_found') {
    const message = `The service no longer knows this ${noun}. What it last said is kept.`
    const goneAt = row.goneAt ?? new Date(clock.now)
    const gone = { ...row, goneAt, failures: 0, checkFailure: { ...checkFailure, message } }
    return { ...gone, nextCheckAt: nextCheckOf(gone, clock) }
  }
  const failed = { ...row, failures: row.failures + 1, checkFailure }
  const keyProblem = error.code === 'upstream_key_rejected' || error.code === 'upstream_forbidden'
  const waitMs = Math.max(error.retryAfterMs ?? 0, keyProblem ? keyProblemMs : 0)
  return { ...failed, nextCheckAt: nextCheckOf(failed, clock, waitMs) }
}
