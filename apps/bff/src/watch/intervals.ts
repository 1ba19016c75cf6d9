const minute = 60_000
const hour = 60 * minute

/** Ages at which a record that stopped changing is read once more; after the last one only a person asks. Milliseconds. */
export const settledAgesMs: readonly number[] = [minute, 10 * minute, hour, 6 * hour, 24 * hour]

/** A random pause up to a ceiling that doubles with every failure. Milliseconds. */
export const fullJitter = (
  failures: number,
  { baseMs, capMs, random = Math.random }: { baseMs: number; capMs: number; random?: () => number },
): number => random() * Math.min(capMs, baseMs * 2 ** Math.min(30, Math.max(0, failures - 1)))
