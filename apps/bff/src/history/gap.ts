import type { CheckFailure } from '@docket/api-types/api-error'
import type { NewEvent } from './history.ts'

/** What is known of a record's reads. */
export type Watched = {
  checkedAt: Date | null
  nextCheckAt: Date | null
  failures: number
  checkFailure: CheckFailure | null
}

/** The moment of a read, since when this process runs, and what held all reads back the last time. Milliseconds since the epoch. */
export type Moment = {
  now: number
  runningSince: number
  held?: { code: CheckFailure['code']; fromMs: number; toMs: number } | null
}

/** Shorter times without an answer are not told. */
const leastGapMs = 30_000

const failed: Partial<Record<CheckFailure['code'], string>> = {
  upstream_key_rejected: 'The service rejected the key.',
  upstream_forbidden: 'The service did not allow the key to read this.',
  upstream_rate_limited: 'The service asked Docket to wait.',
  upstream_unavailable: 'The service could not be reached, or did not work.',
  upstream_timeout: 'The service did not answer in time.',
  upstream_unexpected: 'The service gave answers that say nothing about it.',
}

/** When the service last answered for a record, also with "not found"; null when it never did. Milliseconds since the epoch. */
export const lastAnswerMs = ({ checkedAt, checkFailure }: Watched): number | null => {
  const missing = checkFailure?.code === 'upstream_not_found' ? Date.parse(checkFailure.at) : 0
  return checkedAt === null && missing === 0 ? null : Math.max(checkedAt?.getTime() ?? 0, missing)
}

/** Why all reads were held back, when they were for most of the time in which this one was due. */
const causeOf = (held: Moment['held'], plannedMs: number, now: number): string | undefined => {
  if (held === null || held === undefined) return undefined
  const together = Math.min(now, held.toMs) - Math.max(plannedMs, held.fromMs)
  return together > (now - plannedMs) / 2 ? failed[held.code] : undefined
}

/**
 * What an answer at `now` tells about the time before it, from the record as it was: the gap since the last answer, and why
 * (failed reads, no Docket that ran, or reads that were held back until much later than planned); null when there was none.
 */
export const gapBefore = (before: Watched, { now, runningSince, held }: Moment): NewEvent | null => {
  const seenMs = lastAnswerMs(before)
  if (seenMs === null || now - seenMs < leastGapMs) return null
  const gap = (to: string): NewEvent => ({ kind: 'not_observed', at: new Date(seenMs), until: new Date(now), to })
  if (before.failures > 0)
    return gap(failed[before.checkFailure?.code ?? 'internal'] ?? 'The service refused the reads.')
  const plannedMs = before.nextCheckAt?.getTime() ?? Infinity
  if (now - plannedMs < Math.max(leastGapMs, plannedMs - seenMs)) return null
  if (runningSince > plannedMs) return gap('Docket was not running.')
  return gap(
    causeOf(held, plannedMs, now) ??
      'Docket held its reads back, to keep within the call budget or what the service asks for.',
  )
}

/** The time that a record was not watched because somebody had removed it; null when that was short. */
export const gapWhileRemoved = (removedAt: Date, restoredAt: Date): NewEvent | null =>
  restoredAt.getTime() - removedAt.getTime() < leastGapMs
    ? null
    : { kind: 'not_observed', at: removedAt, until: restoredAt, to: 'It was not on the list.' }
