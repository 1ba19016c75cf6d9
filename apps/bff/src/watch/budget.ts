import { clocksDifferMs } from '#watch/clocks.ts'

/** How many calls may pass. `callsPerHour` 0: nothing is polled, and clicks pass without a limit. */
export type BudgetPlan = {
  callsPerHour: number
  /** Most tokens that can be there at once. Together with the tokens of an hour never more than `callsPerHour`. */
  capacity: number
  /** Tokens that polling leaves for clicks. */
  reserve: number
  refillPerMs: number
}

/** What is in the bucket, and until when its refill is counted (milliseconds since the epoch). */
export type BudgetLevel = { tokens: number; atMs: number }

/** What `ADMIN_API_CALLS_PER_HOUR` is when it is not set: a call a second, and ten to the embedded service, which costs nobody anything. */
export const callsPerHourByDefault = ({ embedded }: { embedded: boolean }): number => (embedded ? 36_000 : 3600)

const hourMs = 3_600_000

const between = (low: number, value: number, high: number) => Math.min(high, Math.max(low, Math.round(value)))

/**
 * A small bucket, so that nearly the whole rate is there for polling: a minute of calls for clicks, a third of that for polls that
 * become due together.
 */
export const budgetPlan = (callsPerHour: number): BudgetPlan => {
  const reserve = callsPerHour < 2 ? 0 : between(1, callsPerHour / 60, 120)
  const capacity = callsPerHour === 0 ? 0 : reserve + between(1, callsPerHour / 180, 60)
  // One call an hour more than the bucket leaves is still within the limit when two calls of one hour cannot be a whole hour apart.
  const perHour = callsPerHour === 0 ? 0 : Math.max(1, callsPerHour - capacity)
  return { callsPerHour, capacity, reserve, refillPerMs: perHour / hourMs }
}

/** A bucket nobody took from yet. */
export const fullLevel = (plan: BudgetPlan, nowMs: number): BudgetLevel => ({ tokens: plan.capacity, atMs: nowMs })

/** The level now. A clock that went back neither gives nor takes tokens; one that jumped ahead gives a full bucket at most. */
export const levelAt = (plan: BudgetPlan, { tokens, atMs }: BudgetLevel, nowMs: number): BudgetLevel => {
  if (nowMs <= atMs) {
    const setBack = atMs - nowMs > clocksDifferMs
    return { tokens: Math.min(plan.capacity, tokens), atMs: setBack ? nowMs : atMs }
  }
  return { tokens: Math.min(plan.capacity, tokens + (nowMs - atMs) * plan.refillPerMs), atMs: nowMs }
}

/** What a caller gets. `nextAtMs`: when the next one passes; null when one passes now, or none ever. */
export type Taken = { level: BudgetLevel; granted: number; nextAtMs: number | null }

/** Takes up to `wanted` tokens: polling leaves the reserve, clicks take the last one. In any hour at most `callsPerHour` are granted. */
export const takeTokens = (
  plan: BudgetPlan,
  before: BudgetLevel,
  { nowMs, wanted, click }: { nowMs: number; wanted: number; click: boolean },
): Taken => {
  if (plan.callsPerHour === 0) return { level: before, granted: click ? wanted : 0, nextAtMs: null }
  const level = levelAt(plan, before, nowMs)
  const kept = click ? 0 : plan.reserve
  const granted = Math.min(wanted, Math.max(0, Math.floor(level.tokens - kept)))
  const tokens = level.tokens - granted
  const missing = kept + 1 - tokens
  const nextAtMs = missing <= 0 ? null : level.atMs + Math.ceil(missing / plan.refillPerMs)
  return { level: { tokens, atMs: level.atMs }, granted, nextAtMs }
}
