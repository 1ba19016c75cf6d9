import type { Durations } from './durations.ts'
import { queue } from './queue.ts'
import { seeded } from './random.ts'

/** One record of a simulated service. Milliseconds of virtual time. */
export type SimulatedJob = { startMs: number; endMs: number; durations: Durations }

/**
 * So many places, each with one job after the other, until `jobs` were started or `untilMs`: `active` jobs run at any
 * time. When they start and end does not depend on who reads them.
 */
export const simulatedJobs = (options: {
  durations: readonly Durations[]
  active: number
  jobs?: number
  untilMs?: number
  seed: number
}): SimulatedJob[] => {
  const { durations, active, jobs = Infinity, untilMs = Infinity, seed } = options
  const random = seeded(seed)
  const places = Array.from({ length: active }, (_, place) => {
    const distribution = durations[place % durations.length]!
    return { distribution, freeMs: active === 1 ? 0 : distribution.meanMs * random() }
  })
  const result: SimulatedJob[] = []
  const next = queue<{ at: number; distribution: Durations }>()
  for (const place of places) next.put({ at: place.freeMs, distribution: place.distribution })
  while (result.length < jobs && next.first()!.at < untilMs) {
    const { at: startMs, distribution } = next.take()!
    const endMs = startMs + distribution.sample(random())
    result.push({ startMs, endMs, durations: distribution })
    next.put({ at: endMs, distribution })
  }
  return result
}
