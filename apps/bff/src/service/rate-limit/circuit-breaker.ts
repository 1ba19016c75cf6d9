import { AdminApiError, maxWaitMs, type UpstreamCode } from '#ground/errors/app-error.ts'
import { maxClockSkewMs, pickJitteredPause } from '#ground/clock.ts'

/** Thrown before a call is made, because the service asked for a pause or is down. Contains the reason and the remaining wait. */
export class CallsPaused extends AdminApiError {}

/** Last pause of a class of calls: its reason, start and planned end. Milliseconds since the epoch. */
export type Pause = { code: UpstreamCode; fromMs: number; toMs: number }

/** Circuit breaker of one class of calls. Milliseconds since the epoch. Stored as JSON, in which the current pause is `closed`. */
export type BreakerState = {
  /** The answer that began the pause. Null while calls are allowed. */
  closed: {
    code: UpstreamCode
    message: string
    sentence: string | null
    retryAfterMs: number | null
    /** Wait that the service asked for, if it is longer than Docket waits. */
    askedMs?: number
    sinceMs: number
    untilMs: number
  } | null
  /** Number of pauses so far. A call that began before the last one does not end it. */
  closings: number
  /** Deadline of the probe in progress. Null without one. */
  probeUntilMs: number | null
  /** Unanswered calls in a row, over all records. */
  outage: number
  lastGoodMs: number | null
  /** Null before the first pause. */
  pause: Pause | null
}

/** Copy of the breaker, taken when a call began. */
export type BreakerCall = { closings: number; probeUntilMs: number | null }

const probeMs = 60_000
const clickMs = 5_000
/** Failures in a row that count as an outage of the service. */
const outageAfter = 3
/** Maximum length of a probe. A later end was written before a clock was set back. Milliseconds. */
const maxProbeMs = 120_000
/** Interval at which polling checks whether the probe of another process has ended. */
const probeLookMs = 2_000

export const initialState: BreakerState = {
  closed: null,
  closings: 0,
  probeUntilMs: null,
  outage: 0,
  lastGoodMs: null,
  pause: null,
}

const isProbing = ({ probeUntilMs }: BreakerState, nowMs: number): boolean =>
  probeUntilMs !== null && probeUntilMs > nowMs && probeUntilMs - nowMs <= maxProbeMs + maxClockSkewMs

const findPauseEnd = (
  { untilMs, sinceMs, retryAfterMs }: NonNullable<BreakerState['closed']>,
  nowMs: number,
  click: boolean,
) => {
  if (untilMs - nowMs > maxWaitMs + maxClockSkewMs) return nowMs
  return click ? Math.min(untilMs, sinceMs + Math.max(clickMs, retryAfterMs ?? 0)) : untilMs
}

/** When the next poll may start. Null when one may start now. */
export const pausedUntil = (state: BreakerState, nowMs: number): number | null => {
  if (state.closed === null) return null
  const untilMs = findPauseEnd(state.closed, nowMs, false)
  if (untilMs > nowMs) return untilMs
  return isProbing(state, nowMs) ? nowMs + probeLookMs : null
}

/** Number of polls that may start now: none during a pause, one as a probe after it, else `wanted`. */
export const countAllowedPolls = (state: BreakerState, wanted: number, nowMs: number): number => {
  if (state.closed === null) return wanted
  return pausedUntil(state, nowMs) === null ? Math.min(1, wanted) : 0
}

/** Only the service's `Retry-After` and a refusal within the last seconds stop a call by a person. */
export const findClickRefusal = ({ closed }: BreakerState, nowMs: number): CallsPaused | null => {
  if (closed === null) return null
  const untilMs = findPauseEnd(closed, nowMs, true)
  if (untilMs <= nowMs) return null
  const { code, message, sentence } = closed
  return new CallsPaused(code, message, { effect: 'none', retryAfterMs: Math.max(1000, untilMs - nowMs), sentence })
}

/** After a pause, the first call is the probe, for at most `leaseMs`. */
export const startCall = (
  state: BreakerState,
  nowMs: number,
  leaseMs: number,
): { state: BreakerState; call: BreakerCall } => {
  const probes = state.closed !== null && !isProbing(state, nowMs)
  const probeUntilMs = probes ? nowMs + Math.min(leaseMs, maxProbeMs) : null
  return {
    state: probes ? { ...state, probeUntilMs } : state,
    call: { closings: state.closings, probeUntilMs },
  }
}

/** A probe of another process continues. */
export const endProbe = (state: BreakerState, { probeUntilMs }: BreakerCall): BreakerState =>
  probeUntilMs !== null && state.probeUntilMs === probeUntilMs ? { ...state, probeUntilMs: null } : state

const endPause = (state: BreakerState, nowMs: number): Pick<BreakerState, 'closed' | 'pause'> => ({
  closed: null,
  pause: state.closed === null || state.pause === null ? state.pause : { ...state.pause, toMs: nowMs },
})

/** A good answer ends a pause only if its call began after the pause did. */
export const applyGoodAnswer = (state: BreakerState, call: BreakerCall, nowMs: number): BreakerState => ({
  ...endProbe(state, call),
  ...(state.closings === call.closings ? endPause(state, nowMs) : {}),
  outage: 0,
  lastGoodMs: nowMs,
})

/** Wait that the service asked for, during a pause for which it asked for longer than Docket waits, else 0. */
const longPauseMs = (state: BreakerState, nowMs: number): number =>
  pausedUntil(state, nowMs) === null ? 0 : (state.closed?.askedMs ?? 0)

/** Ends a pause when a person asks for it; the next failure may begin another one. */
export const resume = (state: BreakerState, nowMs: number): BreakerState =>
  pausedUntil(state, nowMs) === null ? state : { ...state, ...endPause(state, nowMs) }

/** End of the wait that the service asked for with `Retry-After`, past or future. Null without one. */
const findOrderedEnd = ({ closed }: BreakerState, { retryAfterMs }: AdminApiError, nowMs: number): number | null => {
  const earlierMs = closed === null || closed.retryAfterMs === null ? 0 : closed.sinceMs + closed.retryAfterMs
  const untilMs = Math.max(earlierMs, retryAfterMs === null ? 0 : nowMs + retryAfterMs)
  return untilMs > nowMs ? untilMs : null
}

/** Length of the pause after a failure. `late`: another pause began after this call did, so its failure does not count again. */
const pauseMs = (
  state: BreakerState,
  error: AdminApiError,
  { late, nowMs, random }: { late: boolean; nowMs: number; random: () => number },
): number => {
  const jitter = (failures: number) =>
    late ? 0 : 1000 + pickJitteredPause(failures, { baseMs: 2000, capMs: probeMs, random })
  const { outage, lastGoodMs } = state
  if (error.code === 'upstream_rate_limited') return error.retryAfterMs ?? (late ? 0 : 5_000 + jitter(outage))
  if (error.code === 'upstream_key_rejected') return probeMs
  // The service may refuse one project to a key that can read others, so only this record waits.
  if (error.code === 'upstream_forbidden')
    return lastGoodMs !== null && Math.abs(nowMs - lastGoodMs) < probeMs ? 0 : probeMs
  if (error.code === 'upstream_unavailable' || error.code === 'upstream_timeout')
    return Math.max(error.retryAfterMs ?? 0, outage < outageAfter ? 0 : jitter(outage - outageAfter + 1))
  return 0
}

/**
 * Records a refusal or a failure. `Retry-After` pauses every call until then. After a rejected key (401) or a key without any permission
 * (403), one probe a minute is allowed. During an outage, probes follow after growing pauses.
 */
export const applyFailedCall = (
  before: BreakerState,
  call: BreakerCall,
  error: AdminApiError,
  { nowMs, random = Math.random }: { nowMs: number; random?: () => number },
): BreakerState => {
  const answered = !['upstream_unavailable', 'upstream_timeout', 'upstream_rate_limited'].includes(error.code)
  // Concurrent calls fail together and count as one failure of the service.
  const late = before.closed !== null && before.closings !== call.closings
  const outage = answered ? 0 : late ? before.outage : before.outage + 1
  const state = { ...endProbe(before, call), outage }
  const ms = pauseMs(state, error, { late, nowMs, random })
  if (ms > 0) {
    const { code, message, sentence } = error
    // An earlier call may fail after a longer pause began; the longer pause is kept.
    const untilMs = Math.max(nowMs + ms, state.closed === null ? 0 : findPauseEnd(state.closed, nowMs, false))
    const orderedMs = findOrderedEnd(state, error, nowMs)
    const retryAfterMs = orderedMs === null ? null : Math.min(orderedMs, untilMs) - nowMs
    const askedMs = Math.max(longPauseMs(state, nowMs), error.askedWaitMs ?? 0)
    return {
      ...state,
      closed: {
        code,
        message,
        sentence,
        retryAfterMs,
        ...(askedMs > maxWaitMs && { askedMs }),
        sinceMs: nowMs,
        untilMs,
      },
      closings: state.closings + 1,
      pause: { code, fromMs: (state.closed === null ? null : state.pause?.fromMs) ?? nowMs, toMs: untilMs },
    }
  }
  const opens = answered && error.code !== 'upstream_forbidden' && state.closings === call.closings
  return opens ? { ...state, ...endPause(state, nowMs) } : state
}
