import type { CheckFailure } from '@docket/api-types/api-error'
import type { AdminApiError, AppError } from '#ground/errors/app-error.ts'
import type { Clock } from './schedule.ts'

type Record = {
  goneAt: Date | null
  failures: number
  checkedAt: Date | null
  checkFailure: CheckFailure | null
  nextCheckAt: Date | null
  foundAt: Date | null
  missingSince: Date | null
  missingReads: number
}

const keyProblemMs = 60_000
/** Several 404 answers over this time mark a record as gone. A single one may come from a replica of the service that lags behind. */
const minMissing = { reads: 3, ms: 30_000 }
/** Maximum time until reads can find a new record. */
const appearsWithinMs = 10 * 60_000

export const toCheckFailure = (
  error: Pick<AppError | AdminApiError, 'code' | 'message'> & { named?: string | null },
  now: number,
): CheckFailure => ({
  code: error.code,
  message: error.message,
  at: new Date(now).toISOString(),
  ...(error.named && { jobId: error.named }),
})

export const afterGoodRead = ({ foundAt }: Pick<Record, 'foundAt'>, at: Date) => ({
  goneAt: null,
  failures: 0,
  checkedAt: at,
  checkFailure: null,
  foundAt: foundAt ?? at,
  missingSince: null,
  missingReads: 0,
})

const countMissingReads = ({ missingSince, missingReads, checkedAt }: Record, now: number) =>
  // A replica with an earlier build does not reset the count after a good read.
  missingSince === null || missingSince.getTime() < (checkedAt?.getTime() ?? 0)
    ? { missingSince: new Date(now), missingReads: 1 }
    : { missingSince, missingReads: missingReads + 1 }

const explain = {
  gone: (noun: string) => `The service no longer finds this ${noun}. Docket keeps its last known state.`,
  early: (noun: string) =>
    `The service doesn’t find it yet. A new ${noun} can take a while to appear; Docket checks again.`,
  once: () => 'The service returned “not found”. Docket checks again before it marks this as not found.',
}

/**
 * Applies a failed read to a record: its last good data is kept, with the reason. A record is marked as gone after a 410, or after three
 * 404 answers over half a minute. The 404 answers do not count in the ten minutes after `since` before the first good read. `noun` names
 * the record in messages; `planNextCheck` plans the next read, at least `waitMs` later.
 */
export const afterFailedRead = <Row extends Record>(
  row: Row,
  error: AdminApiError,
  clock: Clock,
  {
    noun,
    since,
    planNextCheck,
  }: { noun: string; since: Date; planNextCheck: (row: Row, clock: Clock, waitMs?: number) => Date | null },
): Row => {
  const { now } = clock
  const checkFailure = toCheckFailure(error, now)
  if (error.code === 'upstream_not_found') {
    const missing = countMissingReads(row, now)
    const early = row.foundAt === null && now - since.getTime() < appearsWithinMs
    const proven =
      !early && missing.missingReads >= minMissing.reads && now - missing.missingSince.getTime() >= minMissing.ms
    const goneAt = row.goneAt ?? (error.gone || proven ? new Date(now) : null)
    const message = explain[goneAt !== null ? 'gone' : early ? 'early' : 'once'](noun)
    const after = { ...row, ...missing, goneAt, failures: 0, checkFailure: { ...checkFailure, message } }
    return { ...after, nextCheckAt: planNextCheck(after, clock) }
  }
  const failed = { ...row, failures: row.failures + 1, checkFailure }
  const keyProblem = error.code === 'upstream_key_rejected' || error.code === 'upstream_forbidden'
  const waitMs = Math.max(error.retryAfterMs ?? 0, keyProblem ? keyProblemMs : 0)
  return { ...failed, nextCheckAt: planNextCheck(failed, clock, waitMs) }
}
