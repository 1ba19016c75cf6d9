import { bucketOf, bucketRange, perBucket, type RecordKind, recordKinds } from './ages.ts'
import type { Hazards } from './hazards.ts'

/** How many records are changing, by age bucket. `viewed`: those among them that somebody has on screen. */
export type KindLoad = { changing: readonly number[]; viewed: readonly number[] }

/** No records. */
export const nothing: KindLoad = { changing: perBucket(() => 0), viewed: perBucket(() => 0) }

/** Records of every kind, of all replicas. */
export type Load = Readonly<Record<RecordKind, KindLoad>>

/** By kind and age bucket: its part of the budget compared with the others. */
export type Weights = Readonly<Record<RecordKind, readonly number[]>>

/** How much of the budget a record on somebody's screen gets, compared with one like it that nobody looks at. */
export const viewedShare = 4

/**
 * A record that ends with hazard h and is read every I is noticed h·I/2 late per unit of time, for 1/I calls: over all records
 * the sum is least when I is proportional to 1/√h.
 */
export const weightsOf = (hazards: Readonly<Record<RecordKind, Hazards>>): Weights => ({
  static_exports: hazards.static_exports.map(Math.sqrt),
  agent_jobs: hazards.agent_jobs.map(Math.sqrt),
})

/** The weights of all changing records together. */
export const totalWeight = (load: Load, weights: Weights): number => {
  let sum = 0
  for (const kind of recordKinds)
    for (const [bucket, weight] of weights[kind].entries())
      sum += weight * ((load[kind].changing[bucket] ?? 0) + (viewedShare - 1) * (load[kind].viewed[bucket] ?? 0))
  return sum
}

/** How many records end per millisecond, as expected. */
export const endingsPerMs = (load: Load, hazards: Readonly<Record<RecordKind, Hazards>>, kind: RecordKind): number =>
  hazards[kind].reduce((sum, hazard, bucket) => sum + hazard * (load[kind].changing[bucket] ?? 0), 0)

/** What decides how long one record waits. */
export type Share = {
  ageMs: number
  /** By age bucket, of its kind. */
  weights: readonly number[]
  viewed: boolean
  /** Of all changing records, this one included. */
  totalWeight: number
  callsPerMs: number
}

/**
 * How long until this record has earned a call: it earns `callsPerMs`, shared by weight with all others, while it ages.
 * Intervals chosen so spend the budget together, for one record as for thousands. Milliseconds.
 */
export const intervalMs = ({ ageMs, weights, viewed, totalWeight: total, callsPerMs }: Share): number => {
  const factor = viewed ? viewedShare : 1
  let age = Math.max(0, ageMs)
  let bucket = bucketOf(age)
  const others = Math.max(0, total - factor * weights[bucket]!)
  for (let missing = 1; ; bucket += 1) {
    const own = factor * weights[bucket]!
    const earnedPerMs = (callsPerMs * own) / (others + own)
    const { toMs } = bucketRange(bucket)
    if (earnedPerMs * (toMs - age) >= missing) return age + missing / earnedPerMs - Math.max(0, ageMs)
    missing -= earnedPerMs * (toMs - age)
    age = toMs
  }
}
