import { AdminApiError, type UpstreamCode } from '#admin-api/admin-api.ts'
import { clocksDifferMs } from '#watch/clocks.ts'
import { fullJitter } from '#watch/intervals.ts'

/** No call was made, because the service asked to be left alone or did not work. It says why, and for how long. */
export class GateClosed extends AdminApiError {}

/** Why everything was held back the last time, and from when to when: until it opened, or is to open. Milliseconds since the epoch. */
export type HeldBack = { code: UpstreamCode; fromMs: number; toMs: number }

/** What holds one class of calls (agent jobs, static exports) back. Instants in milliseconds since the epoch; it is stored as JSON. */
export type GateState = {
  /** What the service answered when the gate closed; null while it is open. */
  closed: {
    code: UpstreamCode
    message: string
    sentence: string | null
    retryAfterMs: number | null
    sinceMs: number
    untilMs: number
  } | null
  /** How often it closed. A call that began before the last time does not open it. */
  closings: number
  /** A call that is to find out is under way, and lost when it is not back by then. */
  probeUntilMs: number | null
  /** Calls in a row, of whatever records, that the service did not answer. */
  outage: number
  lastGoodMs: number | null
  /** Null when nothing ever was. */
  held: HeldBack | null
}

/** What a call has to know at its end of the gate at its beginning. */
export type Begun = { closings: number; probeUntilMs: number | null }

const probeMs = 60_000
const clickMs = 5_000
/** Failures in a row after which it is the service and not one record that is out of order. */
const outageAfter = 3
/** No answer closes a gate for longer, and no probe takes so long: what seems further off was written before a clock was set back. */
const longestMs = 3_600_000
const longestProbeMs = 120_000
/** Between two looks whether somebody else's probe came back. */
const probeLookMs = 2_000

/** Nothing is held back. */
export const openGate: GateState = {
  closed: null,
  closings: 0,
  probeUntilMs: null,
  outage: 0,
  lastGoodMs: null,
  held: null,
}

const isProbing = ({ probeUntilMs }: GateState, nowMs: number): boolean =>
  probeUntilMs !== null && probeUntilMs > nowMs && probeUntilMs - nowMs <= longestProbeMs + clocksDifferMs

const untilOf = (
  { untilMs, sinceMs, retryAfterMs }: NonNullable<GateState['closed']>,
  nowMs: number,
  click: boolean,
) => {
  if (untilMs - nowMs > longestMs + clocksDifferMs) return nowMs
  return click ? Math.min(untilMs, sinceMs + Math.max(clickMs, retryAfterMs ?? 0)) : untilMs
}

/** How many polls may start now: none while it is closed, one when it is time to find out, else as many as `wanted`. */
export const pollAllowance = (state: GateState, wanted: number, nowMs: number): number => {
  if (state.closed === null) return wanted
  return !isProbing(state, nowMs) && untilOf(state.closed, nowMs, false) <= nowMs ? Math.min(1, wanted) : 0
}

/** Until when no poll may start; null when one may now. */
export const heldUntil = (state: GateState, nowMs: number): number | null => {
  if (pollAllowance(state, 1, nowMs) > 0) return null
  const untilMs = state.closed === null ? nowMs : untilOf(state.closed, nowMs, false)
  return untilMs > nowMs ? untilMs : nowMs + probeLookMs
}

/** The refusal of a person's call, or null: of all reasons, only the service's own `Retry-After` and a very recent refusal stop it. */
export const clickRefusal = ({ closed }: GateState, nowMs: number): GateClosed | null => {
  if (closed === null) return null
  const untilMs = untilOf(closed, nowMs, true)
  if (untilMs <= nowMs) return null
  const { code, message, sentence } = closed
  return new GateClosed(code, message, { effect: 'none', retryAfterMs: Math.max(1000, untilMs - nowMs), sentence })
}

/** A call begins that the gate let pass. While it is closed and nobody finds out yet, this call does, for at most `leaseMs`. */
export const begin = (state: GateState, nowMs: number, leaseMs: number): { state: GateState; begun: Begun } => {
  const probes = state.closed !== null && !isProbing(state, nowMs)
  const probeUntilMs = probes ? nowMs + Math.min(leaseMs, longestProbeMs) : null
  return {
    state: probes ? { ...state, probeUntilMs } : state,
    begun: { closings: state.closings, probeUntilMs },
  }
}

// Somebody else's probe goes on.
const probeOver = (state: GateState, { probeUntilMs }: Begun) =>
  probeUntilMs !== null && state.probeUntilMs === probeUntilMs ? null : state.probeUntilMs

const opened = (state: GateState, nowMs: number): Pick<GateState, 'closed' | 'held'> => ({
  closed: null,
  held: state.closed === null || state.held === null ? state.held : { ...state.held, toMs: nowMs },
})

/** The service answered well. Only a call that began after the gate closed proves that it may open again. */
export const afterGood = (state: GateState, begun: Begun, nowMs: number): GateState => ({
  ...state,
  ...(state.closings === begun.closings ? opened(state, nowMs) : {}),
  probeUntilMs: probeOver(state, begun),
  outage: 0,
  lastGoodMs: nowMs,
})

/** No call was made after all. */
export const afterNothing = (state: GateState, begun: Begun): GateState => ({
  ...state,
  probeUntilMs: probeOver(state, begun),
})

/** Until when the service itself asked to be left alone, now or earlier; null when it did not. */
const orderedUntil = ({ closed }: GateState, { retryAfterMs }: AdminApiError, nowMs: number): number | null => {
  const earlierMs = closed === null || closed.retryAfterMs === null ? 0 : closed.sinceMs + closed.retryAfterMs
  const untilMs = Math.max(earlierMs, retryAfterMs === null ? 0 : nowMs + retryAfterMs)
  return untilMs > nowMs ? untilMs : null
}

/** `late`: the gate closed after the call began, so that its failure is no further one. */
const pauseMs = (
  state: GateState,
  error: AdminApiError,
  { late, nowMs, random }: { late: boolean; nowMs: number; random: () => number },
): number => {
  const jitter = (failures: number) =>
    late ? 0 : 1000 + fullJitter(failures, { baseMs: 2000, capMs: probeMs, random })
  const { outage, lastGoodMs } = state
  if (error.code === 'upstream_rate_limited') return error.retryAfterMs ?? (late ? 0 : 5_000 + jitter(outage))
  if (error.code === 'upstream_key_rejected') return probeMs
  // One project may be closed to a key that reads others: then only the record itself waits.
  if (error.code === 'upstream_forbidden')
    return lastGoodMs !== null && Math.abs(nowMs - lastGoodMs) < probeMs ? 0 : probeMs
  if (error.code === 'upstream_unavailable' || error.code === 'upstream_timeout')
    return Math.max(error.retryAfterMs ?? 0, outage < outageAfter ? 0 : jitter(outage - outageAfter + 1))
  return 0
}

/**
 * The service refused, failed or did not answer. `Retry-After` holds everything back until then; a rejected key (401) and a key that
 * nothing is allowed with (403) leave one probe a minute; an outage leaves probes with growing pauses.
 */
export const afterFailed = (
  before: GateState,
  begun: Begun,
  error: AdminApiError,
  { nowMs, random = Math.random }: { nowMs: number; random?: () => number },
): GateState => {
  const answered = !['upstream_unavailable', 'upstream_timeout', 'upstream_rate_limited'].includes(error.code)
  // Calls that were under way together fail together, and are one failure of the service.
  const late = before.closed !== null && before.closings !== begun.closings
  const outage = answered ? 0 : late ? before.outage : before.outage + 1
  const state = { ...before, probeUntilMs: probeOver(before, begun), outage }
  const ms = pauseMs(state, error, { late, nowMs, random })
  if (ms > 0) {
    const { code, message, sentence } = error
    // A call that began earlier may report after a longer pause was ordered; the longer one stands.
    const untilMs = Math.max(nowMs + ms, state.closed === null ? 0 : untilOf(state.closed, nowMs, false))
    const orderedMs = orderedUntil(state, error, nowMs)
    const retryAfterMs = orderedMs === null ? null : Math.min(orderedMs, untilMs) - nowMs
    return {
      ...state,
      closed: { code, message, sentence, retryAfterMs, sinceMs: nowMs, untilMs },
      closings: state.closings + 1,
      held: { code, fromMs: (state.closed === null ? null : state.held?.fromMs) ?? nowMs, toMs: untilMs },
    }
  }
  const opens = answered && error.code !== 'upstream_forbidden' && state.closings === begun.closings
  return opens ? { ...state, ...opened(state, nowMs) } : state
}
