import type { Durations } from './durations.ts'
import { leastCost } from './least-cost.ts'

/** Places that always have a job of these durations running. */
export type Places = { durations: Durations; places: number }

const hourMs = 3_600_000

/** Highest value of a function with one peak, over the logarithm of its argument. */
const peak = (of: (argument: number) => number, low: number, high: number, steps: number): number => {
  const golden = (Math.sqrt(5) - 1) / 2
  let [from, to] = [Math.log(low), Math.log(high)]
  let [left, right] = [to - golden * (to - from), from + golden * (to - from)]
  let [ofLeft, ofRight] = [of(Math.exp(left)), of(Math.exp(right))]
  for (let step = 0; step < steps; step += 1)
    if (ofLeft < ofRight) {
      ;[from, left, ofLeft] = [left, right, ofRight]
      right = from + golden * (to - from)
      ofRight = of(Math.exp(right))
    } else {
      ;[to, right, ofRight] = [right, left, ofLeft]
      left = to - golden * (to - from)
      ofLeft = of(Math.exp(left))
    }
  return Math.max(ofLeft, ofRight)
}

/**
 * A load that goes on for ever: no schedule is less late on average. One price for every call: for each job the least sum of lateness
 * and price, over all sequences of reads, less the price of the calls there are. Milliseconds.
 */
export const steadyBound = (load: readonly Places[], callsPerHour: number): number => {
  const endings = load.map(({ durations, places }) => places / durations.meanMs)
  const all = endings.reduce((sum, perMs) => sum + perMs, 0)
  const value = (priceMs: number) =>
    load.reduce(
      (sum, { durations }, place) => sum + endings[place]! * leastCost(durations, priceMs),
      (-priceMs * callsPerHour) / hourMs,
    )
  return Math.max(0, peak(value, 1e-3, 1e9, 36)) / all
}

/** The mean over time of the root of the hazard of one place. */
const meanRootHazard = ({ survival, longestMs, meanMs }: Durations): number => {
  const parts = 20_000
  let sum = 0
  for (let part = 0; part < parts; part += 1) {
    const from = longestMs * (part / parts) ** 3
    const to = longestMs * ((part + 1) / parts) ** 3
    const ended = Math.max(0, survival(from) - survival(to))
    // √h · S · dt, with h = ended / S / dt
    sum += Math.sqrt((ended * (survival(from) + survival(to)) * (to - from)) / 2)
  }
  return sum / meanMs
}

/**
 * The same for a budget that comes evenly and cannot be saved, as that of a token bucket, where every job is read many times:
 * at each moment the jobs share what calls there are, so lateness grows by (Σ√h)² / 2r. Milliseconds.
 */
export const pacedBound = (load: readonly Places[], callsPerHour: number): number => {
  const all = load.reduce((sum, { durations, places }) => sum + places / durations.meanMs, 0)
  const roots = load.map(({ durations }) => meanRootHazard(durations))
  const mean = load.reduce((sum, { places }, kind) => sum + places * roots[kind]!, 0)
  // A place ends 1 / mean duration jobs a unit of time: that is the mean of its hazard, the square of the root.
  const variance = load.reduce(
    (sum, { durations, places }, kind) => sum + places * (1 / durations.meanMs - roots[kind]! ** 2),
    0,
  )
  return ((mean * mean + variance) * hourMs) / (2 * callsPerHour) / all
}

/**
 * A load that outruns the budget, for schedules that know every end in advance: each notice costs a call, so the k-th notice is no
 * earlier than the k-th end, nor than an hour after the notice `callsPerHour` before it. Milliseconds.
 */
export const queueBound = (endsMs: readonly number[], callsPerHour: number): number => {
  const ends = endsMs.toSorted((a, b) => a - b)
  const noticed: number[] = []
  let sum = 0
  for (const [place, endMs] of ends.entries()) {
    const atMs = Math.max(endMs, (noticed[place - callsPerHour] ?? -hourMs) + hourMs)
    noticed.push(atMs)
    sum += atMs - endMs
  }
  return sum / ends.length
}
