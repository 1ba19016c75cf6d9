import { randomUUID } from 'node:crypto'
import type { CallLimiter } from '#rate-limit/limiter.ts'
import type { Schedule } from './schedule.ts'

/** How this process polls one kind of records. */
export type Polling = {
  /** Milliseconds since the epoch. */
  now: () => number
  /** Rate limit for calls of this kind. */
  limiter: CallLimiter
  /** Plans the next reads of both kinds together. */
  schedule: Schedule
  /** Owner and duration of a claim. */
  lease: { owner: string; leaseMs: number }
  /** The Admin API is Docket's own, on this machine. */
  embedded: boolean
  /**
   * True when no other process uses the database, so any lease found at the start is left over from an earlier process.
   */
  alone: boolean
}

/** Maximum time to write an answer, added to the lease. */
const writeBackMs = 10_000

/** Duration of a lease: one call (`callTimeoutMs`) and its write. Another process takes over after it. */
export const leaseDuration = (callTimeoutMs: number): number => callTimeoutMs + Math.min(writeBackMs, callTimeoutMs)

/** Builds the settings. `callTimeoutMs` bounds one call of the Admin API. */
export const polling = (options: {
  now: () => number
  limiter: CallLimiter
  schedule: Schedule
  embedded: boolean
  alone: boolean
  callTimeoutMs: number
}): Polling => {
  const { now, limiter, schedule, embedded, alone, callTimeoutMs } = options
  return {
    now,
    limiter,
    schedule,
    lease: { owner: randomUUID(), leaseMs: leaseDuration(callTimeoutMs) },
    embedded,
    alone,
  }
}
