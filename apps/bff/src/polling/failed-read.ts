import type { CheckFailure } from '@docket/api-types/api-error'
import type { AdminApiError } from '#admin-api/admin-api.ts'
import type { AppError } from '#errors/app-error.ts'
import type { Clock } from './schedule.ts'

/** The columns that a failed read changes. */
type Record = { goneAt: Date | null; failures: number; checkFailure: CheckFailure | null; nextCheckAt: Date | null }

const keyProblemMs = 60_000

/** Converts a failed call for the page. */
export const toCheckFailure = (
  error: Pick<AppError | AdminApiError, 'code' | 'message'>,
  now: number,
): CheckFailure => ({
  code: error.code,
  message: error.message,
  at: new Date(now).toISOString(),
})

/**
 * Applies a failed read to a record: its last good data stays, beside the reason. A 404 marks it as gone. `noun` names it on the page;
 * `planNextCheck` plans the next read, at least `waitMs` away.
 */
export const afterFailedRead = <Row extends Record>(
  row: Row,
  error: AdminApiError,
  clock: Clock,
  { noun, planNextCheck }: { noun: string; planNextCheck: (row: Row, clock: Clock, waitMs?: number) => Date | null },
): Row => {
  const checkFailure = toCheckFailure(error, clock.now)
  if (error.code === 'upstream_not_found') {
    const message = `The service no longer knows this ${noun}. What it last said is kept.`
    const goneAt = row.goneAt ?? new Date(clock.now)
    const gone = { ...row, goneAt, failures: 0, checkFailure: { ...checkFailure, message } }
    return { ...gone, nextCheckAt: planNextCheck(gone, clock) }
  }
  const failed = { ...row, failures: row.failures + 1, checkFailure }
  const keyProblem = error.code === 'upstream_key_rejected' || error.code === 'upstream_forbidden'
  const waitMs = Math.max(error.retryAfterMs ?? 0, keyProblem ? keyProblemMs : 0)
  return { ...failed, nextCheckAt: planNextCheck(failed, clock, waitMs) }
}
