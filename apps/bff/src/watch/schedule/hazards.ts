import { bucketRange, perBucket } from './ages.ts'

/**
 * How a record ended, as far as the reads tell: it was still changing at the age `fromMs` and had ended at the age `toMs`.
 * Milliseconds.
 */
export type Ending = { fromMs: number; toMs: number }

/** By age bucket: how probable it is that a record that is still changing ends within the next millisecond. */
export type Hazards = readonly number[]

const middleOf = (bucket: number): number => {
  const { fromMs, toMs } = bucketRange(bucket)
  return toMs === Infinity ? fromMs : (fromMs + toMs) / 2
}

/**
 * Before anything was learnt: what has run for a while goes on for about as long again. The intervals that follow from it grow
 * with the age about as 2 s, 5 s, 15 s, 60 s do for a minute, ten, an hour and a day.
 */
export const priorHazards: Hazards = perBucket((bucket) => 0.7 / (middleOf(bucket) + 20_000))

/** How many endings per bucket the prior counts for. */
const priorEndings = 0.5
const rounds = 12
const lastLengthMs = 24 * 3_600_000

const ranges = perBucket((bucket) => {
  const { fromMs, toMs } = bucketRange(bucket)
  return { fromMs, toMs: toMs === Infinity ? fromMs + lastLengthMs : toMs }
})

/** How probable it is to be still changing at `ageMs`, by bucket starts computed once. */
const survivalOf = (hazards: Hazards) => {
  let cumulative = 0
  const starts = ranges.map(({ fromMs, toMs }, bucket) => {
    const start = cumulative
    cumulative += hazards[bucket]! * (toMs - fromMs)
    return start
  })
  return (bucket: number, ageMs: number) =>
    Math.exp(-(starts[bucket]! + hazards[bucket]! * (ageMs - ranges[bucket]!.fromMs)))
}

/** Adds one ending to the counts: certain exposure up to `fromMs`, then spread as `survival` expects. */
const count = (
  { fromMs, toMs }: Ending,
  survival: ReturnType<typeof survivalOf>,
  endings: number[],
  exposureMs: number[],
) => {
  const parts: { bucket: number; lengthMs: number; mass: number }[] = []
  let total = 0
  for (const [bucket, range] of ranges.entries()) {
    if (range.fromMs >= toMs) break
    exposureMs[bucket]! += Math.max(0, Math.min(fromMs, range.toMs) - range.fromMs)
    const start = Math.max(fromMs, range.fromMs)
    const end = Math.min(toMs, range.toMs)
    if (end <= start) continue
    const mass = survival(bucket, start) - survival(bucket, end) + 1e-12 * (end - start)
    total += mass
    parts.push({ bucket, lengthMs: end - start, mass })
  }
  let before = 0
  for (const { bucket, lengthMs, mass } of parts) {
    const here = mass / total
    endings[bucket]! += here
    exposureMs[bucket]! += lengthMs * (1 - before - here / 2)
    before += here
  }
}

/**
 * Learns hazards from earlier endings. When a record ended between two reads is not known, only that it did, so each ending is
 * spread between them by what the others say (expectation maximisation): rare reads do not make records look long-lived.
 */
export const learnHazards = (seen: readonly Ending[]): Hazards => {
  let hazards = priorHazards
  if (seen.length === 0) return hazards
  for (let round = 0; round < rounds; round += 1) {
    const endings = perBucket(() => 0)
    const exposureMs = perBucket(() => 0)
    const survival = survivalOf(hazards)
    for (const ending of seen) count(ending, survival, endings, exposureMs)
    hazards = priorHazards.map(
      (expected, bucket) => (endings[bucket]! + priorEndings) / (exposureMs[bucket]! + priorEndings / expected),
    )
  }
  return hazards
}

/** How long a record runs on average. Milliseconds. */
export const meanDurationMs = (hazards: Hazards): number => {
  const survival = survivalOf(hazards)
  let sum = 0
  for (const [bucket, { fromMs, toMs }] of ranges.entries())
    sum += (survival(bucket, fromMs) - survival(bucket, toMs)) / hazards[bucket]!
  return sum
}
