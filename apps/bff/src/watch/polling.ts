import { randomUUID } from 'node:crypto'
import type { CallGate } from '#watch/permits/call-gate.ts'
import type { Schedule } from '#watch/schedule/schedule.ts'

/** How one process reads one kind of records from the Admin API. */
export type Polling = {
  /** Milliseconds since the epoch. */
  now: () => number
  /** Leave to make calls of this kind. */
  gate: CallGate
  /** Plans the next reads, of both kinds together. */
  schedule: Schedule
  /** In whose name records are claimed, and for how long. */
  lease: { owner: string; leaseMs: number }
  /** The Admin API is Docket's own, on this machine. */
  embedded: boolean
  /** No other process uses the database: what is claimed in it at the start was claimed by one that is gone. */
  alone: boolean
}

/** How much longer than a call a lease lasts, at most: time to write the answer back. */
const writeBackMs = 10_000

/** How long a record is leased. `callTimeoutMs`: longest time for one call of the Admin API; a dead process is replaced a little later. */
export const leaseMsOf = (callTimeoutMs: number): number => callTimeoutMs + Math.min(writeBackMs, callTimeoutMs)

/** `callTimeoutMs`: longest time for one call of the Admin API. */
export const polling = (options: {
  now: () => number
  gate: CallGate
  schedule: Schedule
  embedded: boolean
  alone: boolean
  callTimeoutMs: number
}): Polling => {
  const { now, gate, schedule, embedded, alone, callTimeoutMs } = options
  return {
    now,
    gate,
    schedule,
    lease: { owner: randomUUID(), leaseMs: leaseMsOf(callTimeoutMs) },
    embedded,
    alone,
  }
}
