import { AdminApiError } from '#admin-api/admin-api.ts'
import { fullJitter } from '#watch/intervals.ts'

/** No call was made, because the service asked to be left alone or did not work. It says why, and for how long. */
export class GateClosed extends AdminApiError {}

/** Keeps one class of calls (agent jobs, static exports) within what the service asks for. In memory, per process. */
export type CallGate = {
  /** How many calls may start now: none while it is closed, one when it is time to find out, else as many as `wanted`. */
  allowance: (wanted: number) => number
  /** When the next call may start, or null when nothing holds calls back. */
  opensAt: () => Date | null
  /** Throws `GateClosed` when `call` would. */
  ensureOpen: (options?: { click?: boolean }) => void
  /**
   * Makes the call and learns from its outcome, or rejects with `GateClosed`, without a call.
   * `click` is for a person who waits: of all reasons, only the service's own `Retry-After` and a very recent refusal stop it.
   */
  call: <T>(make: () => Promise<T>, options?: { click?: boolean }) => Promise<T>
}

const probeMs = 60_000
const clickMs = 5_000
/** Failures in a row, of whatever records, after which it is the service and not one record that is out of order. */
const outageAfter = 3

type Closed = {
  /** What the service answered when the gate closed. */
  reason: AdminApiError
  since: number
  until: number
}

/**
 * Opens and closes by what the service answers: `Retry-After` holds everything back until then; a rejected key (401) and a
 * key that nothing is allowed with (403) leave one probe a minute; an outage leaves probes with growing pauses.
 */
export const callGate = ({ now, random }: { now: () => number; random?: () => number }): CallGate => {
  let closed: Closed | null = null
  let probing = false
  let outage = 0
  let lastGoodAt = -Infinity

  const pauseMs = (error: AdminApiError): number => {
    const jitter = (failures: number) =>
      1000 + fullJitter(failures, { baseMs: 2000, capMs: probeMs, ...(random === undefined ? {} : { random }) })
    if (error.code === 'upstream_rate_limited') return error.retryAfterMs ?? 5_000 + jitter(outage)
    if (error.code === 'upstream_key_rejected') return probeMs
    // One project may be closed to a key that reads others: then only the record itself waits.
    if (error.code === 'upstream_forbidden') return now() - lastGoodAt < probeMs ? 0 : probeMs
    if (error.code === 'upstream_unavailable' || error.code === 'upstream_timeout')
      return Math.max(error.retryAfterMs ?? 0, outage < outageAfter ? 0 : jitter(outage - outageAfter + 1))
    return 0
  }

  const learn = (error: unknown, before: Closed | null) => {
    if (!(error instanceof AdminApiError)) return
    const answered = !['upstream_unavailable', 'upstream_timeout', 'upstream_rate_limited'].includes(error.code)
    outage = answered ? 0 : outage + 1
    const ms = pauseMs(error)
    // A call that began earlier may report after a longer pause was ordered; the longer one stands.
    if (ms > 0) closed = { reason: error, since: now(), until: Math.max(now() + ms, closed?.until ?? 0) }
    else if (answered && error.code !== 'upstream_forbidden' && closed === before) closed = null
  }

  const opensFor = (click: boolean): number => {
    if (closed === null) return -Infinity
    return click && closed.reason.retryAfterMs === null ? Math.min(closed.until, closed.since + clickMs) : closed.until
  }

  const ensureOpen = ({ click = false } = {}) => {
    if (closed === null || (opensFor(click) <= now() && (click || !probing))) return
    const { code, message, sentence } = closed.reason
    const retryAfterMs = Math.max(1000, opensFor(click) - now())
    throw new GateClosed(code, message, { effect: 'none', retryAfterMs, sentence })
  }

  return {
    allowance: (wanted) => {
      if (closed === null) return wanted
      return !probing && closed.until <= now() ? Math.min(1, wanted) : 0
    },
    opensAt: () => (closed === null ? null : new Date(closed.until)),
    ensureOpen,
    call: async (make, options) => {
      ensureOpen(options)
      const before = closed
      const probe = before !== null && !probing
      if (probe) probing = true
      try {
        const answer = await make()
        lastGoodAt = now()
        outage = 0
        // Only a call that began after the gate closed proves that it may open again.
        if (closed === before) closed = null
        return answer
      } catch (error) {
        learn(error, before)
        throw error
      } finally {
        if (probe) probing = false
      }
    },
  }
}
