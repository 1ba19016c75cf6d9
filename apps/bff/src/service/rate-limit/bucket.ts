import { maxClockSkewMs } from '#ground/clock.ts'

/** `callsPerHour` 0: no polling, and no limit for clicks. */
export type BudgetPlan = {
  callsPerHour: number
  /** Maximum tokens. Capacity plus the refill of an hour never exceeds `callsPerHour`. */
  capacity: number
  /** Tokens that only clicks may take. */
  reserve: number
  refillPerMs: number
}

/** Tokens in the bucket as of `atMs` (milliseconds since the epoch). */
export type BudgetLevel = { tokens: number; atMs: number }

const hourMs = 3_600_000

const clampRounded = (low: number, value: number, high: number) => Math.min(high, Math.max(low, Math.round(value)))

/** Sizes a small bucket, so that polling gets nearly the whole rate: a minute of calls for clicks, a third for polls due together. */
export const planBudget = (callsPerHour: number): BudgetPlan => {
  const reserve = callsPerHour < 2 ? 0 : clampRounded(1, callsPerHour / 60, 120)
  const capacity = callsPerHour === 0 ? 0 : reserve + clampRounded(1, callsPerHour / 180, 60)
  // The bucket may exceed the limit by one call an hour, because two calls of one hour cannot be a whole hour apart.
  const perHour = callsPerHour === 0 ? 0 : Math.max(1, callsPerHour - capacity)
  return { callsPerHour, capacity, reserve, refillPerMs: perHour / hourMs }
}

export const createFullLevel = (plan: BudgetPlan, nowMs: number): BudgetLevel => ({
  tokens: plan.capacity,
  atMs: nowMs,
})

/** A clock set back changes nothing; a clock that jumps ahead fills the bucket at most once. */
const refillLevel = (plan: BudgetPlan, { tokens, atMs }: BudgetLevel, nowMs: number): BudgetLevel => {
  if (nowMs <= atMs) {
    const setBack = atMs - nowMs > maxClockSkewMs
    return { tokens: Math.min(plan.capacity, tokens), atMs: setBack ? nowMs : atMs }
  }
  return { tokens: Math.min(plan.capacity, tokens + (nowMs - atMs) * plan.refillPerMs), atMs: nowMs }
}

/** `nextAtMs` is when the next call is allowed; null when one is allowed now, or never. */
export type Taken = { level: BudgetLevel; granted: number; nextAtMs: number | null }

/** Takes up to `wanted` tokens. Polling leaves the reserve; clicks may take the last token. Grants at most `callsPerHour` in any hour. */
export const takeTokens = (
  plan: BudgetPlan,
  before: BudgetLevel,
  { nowMs, wanted, click }: { nowMs: number; wanted: number; click: boolean },
): Taken => {
  if (plan.callsPerHour === 0) return { level: before, granted: click ? wanted : 0, nextAtMs: null }
  const level = refillLevel(plan, before, nowMs)
  const reserve = click ? 0 : plan.reserve
  const granted = Math.min(wanted, Math.max(0, Math.floor(level.tokens - reserve)))
  const tokens = level.tokens - granted
  const missing = reserve + 1 - tokens
  const nextAtMs = missing <= 0 ? null : level.atMs + Math.ceil(missing / plan.refillPerMs)
  return { level: { tokens, atMs: level.atMs }, granted, nextAtMs }
}
