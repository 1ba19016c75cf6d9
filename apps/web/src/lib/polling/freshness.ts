import { formatRough, formatShortClock, formatUntil } from '#lib/text/format.ts'
import type { Watching } from './watching.ts'

/** Fields of a record that decide its freshness. Times in ISO 8601, UTC. */
export type Checked = {
  checkedAt: string | null
  nextCheckAt: string | null
  checkFailure: { code: string; message: string } | null
}

/**
 * `settled`: final · `fresh`: read as planned · `late`: a read is overdue or held back · `stale`: the data is old, or the last read failed
 * · `unwatched`: read only by a click · `down`: the service gives no
 * usable response.
 */
export type FreshnessState = 'settled' | 'fresh' | 'late' | 'stale' | 'unwatched' | 'down'

/** `next` follows “checked 4 s ago, …”; `why` is a message of its own. Null without such text. */
export type Freshness = { state: FreshnessState; next: string | null; why: string | null }

/** Time that a read may take before it counts as late. */
const graceMs = 12_000
/** Older data counts as stale, even if that is the schedule. */
const oldMs = 10 * 60_000

const noService = new Set([
  'upstream_key_rejected',
  'upstream_forbidden',
  'upstream_unavailable',
  'upstream_timeout',
  'upstream_unexpected',
])

const formatNextCheck = (nextCheckAt: string, nowMs: number): string =>
  Date.parse(nextCheckAt) <= nowMs ? 'checking now' : `next ${formatUntil(nextCheckAt, nowMs)}`

/** Determines how fresh a record is, and why. `live`: the record can change by itself. */
export const assessFreshness = (record: Checked, live: boolean, watching: Watching, nowMs: number): Freshness => {
  const { checkedAt, nextCheckAt, checkFailure } = record
  if (!live)
    return checkFailure === null || nextCheckAt === null
      ? nextCheckAt === null
        ? { state: 'settled', next: null, why: null }
        : { state: 'fresh', next: formatNextCheck(nextCheckAt, nowMs), why: null }
      : { state: 'stale', next: formatNextCheck(nextCheckAt, nowMs), why: checkFailure.message }
  const down = watching.down ?? (checkFailure && noService.has(checkFailure.code) ? checkFailure.message : null)
  if (down !== null) return { state: 'down', next: 'no usable response since', why: down }
  if (!watching.polls) return { state: 'unwatched', next: 'no next check', why: 'Polling is off. Use Check now.' }
  const overdueMs = nextCheckAt === null ? 0 : nowMs - Date.parse(nextCheckAt)
  if (watching.heldBack !== null)
    return {
      state: 'late',
      next: watching.until === null ? 'held back' : `held back until ${formatShortClock(watching.until)}`,
      why: watching.heldBack,
    }
  if (overdueMs > graceMs)
    return {
      state: 'late',
      next: `late by ${formatRough(overdueMs)}`,
      why: 'Docket is behind schedule.',
    }
  const next = nextCheckAt && formatNextCheck(nextCheckAt, nowMs)
  if (checkFailure !== null)
    return {
      // A 429 concerns all calls, not this record.
      state: checkFailure.code === 'upstream_rate_limited' ? 'late' : 'stale',
      next,
      why: checkFailure.message,
    }
  if (checkedAt !== null && nowMs - Date.parse(checkedAt) > oldMs)
    return { state: 'stale', next, why: 'Docket checks less often to stay within the call budget.' }
  return { state: 'fresh', next, why: null }
}

export const freshnessLabels: Record<FreshnessState, string> = {
  settled: 'Final',
  fresh: 'Fresh',
  late: 'Late',
  stale: 'Stale',
  unwatched: 'Not watched',
  down: 'Checks fail',
}
