import type { Durations } from './durations.ts'
import { readEveryFiveSeconds } from './fixed-interval.ts'
import { simulatedJobs } from './jobs.ts'
import { watchSimulated, type Watching } from './watching.ts'

/** One simulated cell: a number of jobs that run at any time, and a budget. */
export type Cell = { durations: readonly Durations[]; active: number; callsPerHour: number }

/** Delay until ends were noticed, in milliseconds, and the calls it took. */
export type Lateness = {
  meanMs: number
  p50Ms: number
  p95Ms: number
  calls: number
  callsPerHour: number
  refused: number
  noticed: number
  jobs: number
  busiestHour: number
}

/** Figures of one cell: Docket, and a reader that asks every five seconds. */
export type Figures = {
  cell: Cell
  /** Calls that the budget has for each job. */
  callsPerEnding: number
  docket: Lateness
  fixed: Lateness
}

const hourMs = 3_600_000

const toLateness = ({ lateMs, jobs, calls, refused, busiestHour, overMs }: Watching): Lateness => {
  const sorted = lateMs.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.floor(part * (sorted.length - 1))] ?? NaN
  const meanMs = sorted.reduce((sum, late) => sum + late, 0) / sorted.length
  const callsPerHour = calls / (overMs / hourMs)
  return {
    meanMs,
    p50Ms: at(0.5),
    p95Ms: at(0.95),
    calls,
    callsPerHour,
    refused,
    noticed: sorted.length,
    jobs,
    busiestHour,
  }
}

/** Simulates one cell with `endings` measured ends; where they outrun the budget, with so many jobs in all. */
export const toFigures = async (cell: Cell, endings: number, seed = 7): Promise<Figures> => {
  const { durations, active, callsPerHour } = cell
  const load = durations.map((distribution, kind) => ({
    durations: distribution,
    places: Math.floor(active / durations.length) + (kind < active % durations.length ? 1 : 0),
  }))
  const endingsPerMs = load.reduce((sum, { durations: distribution, places }) => sum + places / distribution.meanMs, 0)
  const callsPerEnding = callsPerHour / hourMs / endingsPerMs
  const outruns = callsPerEnding < 1
  const maxMs = Math.max(...durations.map((distribution) => distribution.maxMs))
  // Long enough after the start that as many end as begin, of every age.
  const fromMs = outruns ? 0 : maxMs
  const toMs = outruns ? Infinity : fromMs + endings / endingsPerMs
  const until = outruns ? { jobs: endings } : { untilMs: toMs + maxMs }
  const jobs = simulatedJobs({ durations, active, ...until, seed })
  const measured = { fromMs, toMs }
  const docket = await watchSimulated({ jobs, measured, callsPerHour, seed: seed + 2 })
  const fixed = readEveryFiveSeconds({ jobs, measured, callsPerHour, seed: seed + 3 })
  return { cell, callsPerEnding, docket: toLateness(docket), fixed: toLateness(fixed) }
}
