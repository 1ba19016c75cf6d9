import type { CheckFailure } from '@docket/api-types/api-error'
import type { NewEvent } from './history.ts'

export type Watched = {
  checkedAt: Date | null
  nextCheckAt: Date | null
  failures: number
  checkFailure: CheckFailure | null
}

/** Milliseconds since the epoch. */
export type Moment = {
  now: number
  runningSince: number
  pause?: { code: CheckFailure['code']; fromMs: number; toMs: number } | null
}

/** Shorter gaps are not events. */
const minGapMs = 30_000

const failed: Partial<Record<CheckFailure['code'], string>> = {
  upstream_key_rejected: 'The service rejected the key.',
  upstream_forbidden: 'The service didn’t allow the key to read this.',
  upstream_rate_limited: 'The service asked Docket to wait.',
  upstream_unavailable: 'Docket couldn’t reach the service, or it didn’t work.',
  upstream_timeout: 'The service didn’t respond in time.',
  upstream_unexpected: 'The service’s responses said nothing about it.',
}

/** “Not found” is a response, too. Milliseconds since the epoch. Null when there was none. */
export const lastAnswerMs = ({ checkedAt, checkFailure }: Watched): number | null => {
  const missing = checkFailure?.code === 'upstream_not_found' ? Date.parse(checkFailure.at) : 0
  return checkedAt === null && missing === 0 ? null : Math.max(checkedAt?.getTime() ?? 0, missing)
}

/** Returns the reason only if the pause covered most of the time in which the record was due. */
const findCause = (pause: Moment['pause'], plannedMs: number, now: number): string | undefined => {
  if (pause === null || pause === undefined) return undefined
  const together = Math.min(now, pause.toMs) - Math.max(plannedMs, pause.fromMs)
  return together > (now - plannedMs) / 2 ? failed[pause.code] : undefined
}

/** Names the reason: failed reads, no running Docket, or delayed reads. Null when there is no gap. */
export const findGapBefore = (before: Watched, { now, runningSince, pause }: Moment): NewEvent | null => {
  const seenMs = lastAnswerMs(before)
  if (seenMs === null || now - seenMs < minGapMs) return null
  const gap = (to: string): NewEvent => ({ kind: 'not_observed', at: new Date(seenMs), until: new Date(now), to })
  if (before.failures > 0)
    return gap(failed[before.checkFailure?.code ?? 'internal'] ?? 'The service refused the reads.')
  const plannedMs = before.nextCheckAt?.getTime() ?? Infinity
  if (now - plannedMs < Math.max(minGapMs, plannedMs - seenMs)) return null
  if (runningSince > plannedMs) return gap('Docket was not running.')
  return gap(
    findCause(pause, plannedMs, now) ??
      'Docket held reads back to stay within the call budget or the service’s limits.',
  )
}

/** Null when the gap was short. */
export const findGapWhileRemoved = (removedAt: Date, restoredAt: Date): NewEvent | null =>
  restoredAt.getTime() - removedAt.getTime() < minGapMs
    ? null
    : { kind: 'not_observed', at: removedAt, until: restoredAt, to: 'It wasn’t on the list.' }
