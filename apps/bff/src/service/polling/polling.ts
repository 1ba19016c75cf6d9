import { randomUUID } from 'node:crypto'
import type { CallLimiter } from '#service/rate-limit/limiter.ts'
import type { Schedule } from './schedule.ts'

/** Maximum time to write an answer, added to the lease. */
const writeBackMs = 10_000

/** Duration of a lease: one call (`callTimeoutMs`) and its write. Another process takes over after it. */
export const leaseDuration = (callTimeoutMs: number): number => callTimeoutMs + Math.min(writeBackMs, callTimeoutMs)

/** Builds the settings. `callTimeoutMs` bounds one call of the Admin API. */
export const polling = (options: {
  connectionId: string
  now: () => number
  limiter: CallLimiter
  schedule: Schedule
  embedded: boolean
  alone: boolean
  callTimeoutMs: number
}) => {
  const { connectionId, now, limiter, schedule, embedded, alone, callTimeoutMs } = options
  return {
    /** Connection whose records are read. */
    connectionId,
    /** Milliseconds since the epoch. */
    now,
    /** Rate limit for calls of this kind. */
    limiter,
    /** Plans the next reads, of both kinds together. */
    schedule,
    /** Owner and duration of a claim. */
    lease: { owner: randomUUID(), leaseMs: leaseDuration(callTimeoutMs) },
    /** The Admin API is Docket's own, on this machine. */
    embedded,
    /** No other process uses the database, so claims found at the start are left over. */
    alone,
  }
}

/** How this process polls one kind of records of a connection. */
export type Polling = ReturnType<typeof polling>
