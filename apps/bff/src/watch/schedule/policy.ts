import { bucketOf, perBucket, type RecordKind, recordKinds } from './ages.ts'
import type { Hazards } from './hazards.ts'
import { readPlans, type ReadPlan } from './read-plan.ts'

/** How many records are changing, by age bucket. `viewed`: those among them that somebody has on screen. */
export type KindLoad = { changing: readonly number[]; viewed: readonly number[] }

/** No records. */
export const nothing: KindLoad = { changing: perBucket(() => 0), viewed: perBucket(() => 0) }

/** Records of every kind, of all replicas. */
export type Load = Readonly<Record<RecordKind, KindLoad>>

/** Plans by kind and price. */
export type Plans = Readonly<Record<RecordKind, (priceMs: number) => ReadPlan>>

const stepsPerDecade = 4
/** What a call may cost, in milliseconds of lateness: from a microsecond to months. */
const prices = 53
const priceMs = (step: number) => 10 ** (step / stepsPerDecade - 3)

/** A record on somebody's screen is read as if calls were cheaper by so many steps of price: about four times as often. */
const viewedSteps = 5

/** Plans for every price. */
export const plansOf = (hazards: Readonly<Record<RecordKind, Hazards>>): Plans => ({
  static_exports: readPlans(hazards.static_exports),
  agent_jobs: readPlans(hazards.agent_jobs),
})

const planAt = (plans: Plans[RecordKind], step: number, viewed: boolean): ReadPlan =>
  plans(priceMs(viewed ? Math.max(0, step - viewedSteps) : step))

/** How many calls per millisecond all changing records take together, by step of price. */
export const callsByPrice = (load: Load, plans: Plans): ((step: number) => number) => {
  const known = new Map<number, number>()
  const sumAt = (step: number) => {
    let sum = 0
    for (const kind of recordKinds)
      for (const [bucket, all] of load[kind].changing.entries()) {
        if (all === 0) continue
        const viewed = Math.min(all, load[kind].viewed[bucket] ?? 0)
        sum += (all - viewed) * planAt(plans[kind], step, false).callsPerMs[bucket]!
        if (viewed > 0) sum += viewed * planAt(plans[kind], step, true).callsPerMs[bucket]!
      }
    return sum
  }
  return (step) => {
    const sum = known.get(step) ?? sumAt(step)
    known.set(step, sum)
    return sum
  }
}

/** What decides how long one record waits. */
export type Share = {
  ageMs: number
  /** Of its kind. */
  plans: Plans[RecordKind]
  viewed: boolean
  /** Of all changing records, this one included. */
  callsByPrice: (step: number) => number
  callsPerMs: number
}

/**
 * How long a record waits at the price of a call at which all changing records together take `callsPerMs`; for one record
 * that is alone, the whole budget. Milliseconds.
 */
export const intervalMs = ({ ageMs, plans, viewed, callsByPrice: calls, callsPerMs }: Share): number => {
  const bucket = bucketOf(ageMs)
  const at = (price: number) => {
    const plan = planAt(plans, price, viewed)
    const waitMs = plan.intervalMs(ageMs)
    // It counts with the interval it gets, all others with what is usual at their age.
    return { waitMs, calls: Math.max(0, calls(price) - plan.callsPerMs[bucket]!) + 1 / waitMs }
  }
  let low = 0
  let high = prices - 1
  if (at(low).calls <= callsPerMs) return at(low).waitMs
  if (at(high).calls >= callsPerMs) return at(high).waitMs
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (at(middle).calls > callsPerMs) low = middle
    else high = middle
  }
  const [dearer, cheaper] = [at(high), at(low)]
  const part = Math.log(cheaper.calls / callsPerMs) / Math.log(cheaper.calls / dearer.calls)
  return cheaper.waitMs * (dearer.waitMs / cheaper.waitMs) ** part
}
