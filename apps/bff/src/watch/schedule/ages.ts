/** What a budget is spent on. Named like their lists. */
export type RecordKind = 'static_exports' | 'agent_jobs'

/** Every kind. */
export const recordKinds: readonly RecordKind[] = ['static_exports', 'agent_jobs']

const steps = 31

/**
 * Where one age bucket ends and the next begins: 4 s, then half an octave each, to 36 h. Milliseconds. The first bucket begins at
 * 0, the last one never ends.
 */
export const ageEdgesMs: readonly number[] = Array.from({ length: steps }, (_, step) =>
  Math.round(4000 * 2 ** (step / 2)),
)

/** The bucket of an age; an age below 0, seen after a clock was set back, counts as 0. */
export const bucketOf = (ageMs: number): number => {
  const bucket = Math.floor(2 * Math.log2(Math.max(1, ageMs) / 4000)) + 1
  // Rounded edges differ from the logarithm by a millisecond at most.
  const near = Math.min(ageEdgesMs.length, Math.max(0, bucket))
  if (near > 0 && ageMs < ageEdgesMs[near - 1]!) return near - 1
  return near < ageEdgesMs.length && ageMs >= ageEdgesMs[near]! ? near + 1 : near
}

/** Where a bucket begins and ends, in milliseconds. */
export const bucketRange = (bucket: number): { fromMs: number; toMs: number } => ({
  fromMs: bucket === 0 ? 0 : ageEdgesMs[bucket - 1]!,
  toMs: ageEdgesMs[bucket] ?? Infinity,
})

/** One value for every bucket. */
export const perBucket = <T>(value: (bucket: number) => T): T[] =>
  Array.from({ length: ageEdgesMs.length + 1 }, (_, bucket) => value(bucket))
