/** How often a record that is still changing is read: the delay holds until the record reaches `untilAgeMs`. */
export type Pace = readonly { untilAgeMs: number; delayMs: number }[]

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** For a service across a network with unknown rate limits. */
export const hostedPace: Pace = [
  { untilAgeMs: minute, delayMs: 2 * second },
  { untilAgeMs: 10 * minute, delayMs: 5 * second },
  { untilAgeMs: hour, delayMs: 15 * second },
  { untilAgeMs: Infinity, delayMs: minute },
]

/** For the embedded service: nobody else pays for a call, so people see it move. */
export const embeddedPace: Pace = hostedPace.map(({ untilAgeMs, delayMs }) => ({ untilAgeMs, delayMs: delayMs / 4 }))

/** Ages at which a record that stopped changing is read once more; after the last one only a person asks. Milliseconds. */
export const settledAgesMs: readonly number[] = [minute, 10 * minute, hour, 6 * hour, 24 * hour]

/** A random pause up to a ceiling that doubles with every failure. Milliseconds. */
export const fullJitter = (
  failures: number,
  { baseMs, capMs, random = Math.random }: { baseMs: number; capMs: number; random?: () => number },
): number => random() * Math.min(capMs, baseMs * 2 ** Math.min(30, Math.max(0, failures - 1)))

/** What decides the next read of a record that is still changing. */
export type Due = {
  /** Milliseconds since the epoch. */
  now: number
  /** Since when it is watched. */
  since: Date
  pace: Pace
  /** Failed reads in a row, and what the last one asked for. */
  failures?: number
  retryAfterMs?: number | null
  random?: () => number
}

/**
 * When to read a changing record again: by its age, a tenth earlier or later so that records do not move in step;
 * after failures later by full jitter (to five minutes), and never before the service's `Retry-After`.
 */
export const nextRead = ({ now, since, pace, failures = 0, retryAfterMs, random = Math.random }: Due): Date => {
  const ageMs = now - since.getTime()
  const delayMs = (pace.find(({ untilAgeMs }) => ageMs < untilAgeMs) ?? pace.at(-1))?.delayMs ?? minute
  const spreadMs = delayMs * (0.9 + 0.2 * random())
  const backOffMs = failures === 0 ? 0 : fullJitter(failures, { baseMs: 2 * delayMs, capMs: 5 * minute, random })
  return new Date(now + Math.max(spreadMs + backOffMs, retryAfterMs ?? 0))
}

/** When to read a settled record again: at the next of `settledAgesMs` after it settled; null when none is left. */
export const nextSettledRead = (now: number, settledAt: Date): Date | null => {
  const ageMs = now - settledAt.getTime()
  const next = settledAgesMs.find((age) => age > ageMs)
  return next === undefined ? null : new Date(settledAt.getTime() + next)
}
