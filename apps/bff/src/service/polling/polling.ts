import { randomUUID } from 'node:crypto'
import type { CallLimiter } from '#service/rate-limit/limiter.ts'
import type { Schedule } from './schedule.ts'

/** Maximum time to write an answer, added to the lease. */
const writeBackMs = 10_000

/** Duration of a lease: one call (`callTimeoutMs`) and its write. Afterwards another process may take over. */
export const leaseDuration = (callTimeoutMs: number): number => callTimeoutMs + Math.min(writeBackMs, callTimeoutMs)

/** `callTimeoutMs` bounds one call of the Admin API. */
export const polling = ({
  callTimeoutMs,
  ...settings
}: {
  connectionId: string
  /** Milliseconds since the epoch. */
  now: () => number
  limiter: CallLimiter
  /** Plans both kinds of records together. */
  schedule: Schedule
  /** True when the Admin API is that of the embedded service. */
  embedded: boolean
  /** True when no other process uses the database, so claims found at the start were left by an earlier process. */
  alone: boolean
  callTimeoutMs: number
}) => ({
  ...settings,
  lease: { owner: randomUUID(), leaseMs: leaseDuration(callTimeoutMs) },
})

export type Polling = ReturnType<typeof polling>
