import { randomUUID } from 'node:crypto'
import type { CallLimiter } from '#service/rate-limit/limiter.ts'
import type { Schedule } from './schedule.ts'

/** Maximum time to write an answer, added to the lease. */
const writeBackMs = 10_000

/** Duration of a lease: one call (`callTimeoutMs`) and its write. Another process takes over after it. */
export const leaseDuration = (callTimeoutMs: number): number => callTimeoutMs + Math.min(writeBackMs, callTimeoutMs)

/** How this process polls one kind of records of a connection. `callTimeoutMs` bounds one call of the Admin API. */
export const polling = ({
  callTimeoutMs,
  ...settings
}: {
  connectionId: string
  /** Milliseconds since the epoch. */
  now: () => number
  limiter: CallLimiter
  /** Plans the next reads, of both kinds together. */
  schedule: Schedule
  /** The Admin API is Docket's own, on this machine. */
  embedded: boolean
  /** No other process uses the database, so claims found at the start are left over. */
  alone: boolean
  callTimeoutMs: number
}) => ({
  ...settings,
  lease: { owner: randomUUID(), leaseMs: leaseDuration(callTimeoutMs) },
})

export type Polling = ReturnType<typeof polling>
