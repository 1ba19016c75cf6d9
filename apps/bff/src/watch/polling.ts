import { randomUUID } from 'node:crypto'
import { callGate, type CallGate } from '#watch/gate.ts'
import type { Schedule } from '#watch/schedule/schedule.ts'

/** How one process reads one kind of records from the Admin API. */
export type Polling = {
  /** Milliseconds since the epoch. */
  now: () => number
  /** Holds back this kind of calls. */
  gate: CallGate
  /** Plans the next reads, of both kinds together. */
  schedule: Schedule
  /** In whose name records are claimed, and for how long. */
  lease: { owner: string; leaseMs: number }
  /** The Admin API is Docket's own, on this machine. */
  embedded: boolean
}

/** How much longer than a call a lease lasts: time to write the answer back. */
const writeBackMs = 10_000

/** `callTimeoutMs`: longest time for one call of the Admin API. A dead process is replaced a little after that. */
export const polling = (options: {
  now: () => number
  schedule: Schedule
  embedded: boolean
  callTimeoutMs: number
}): Polling => {
  const { now, schedule, embedded, callTimeoutMs } = options
  return {
    now,
    gate: callGate({ now }),
    schedule,
    lease: { owner: randomUUID(), leaseMs: callTimeoutMs + writeBackMs },
    embedded,
  }
}
