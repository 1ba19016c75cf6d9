import type { RecordKind } from '#apps/bff/src/service/polling/read-interval.ts'

/** Distribution of the durations of records. */
export type Durations = {
  name: string
  kind: RecordKind
  meanMs: number
  /** No record runs longer. Milliseconds. */
  maxMs: number
  /** Probability of a duration above this. Milliseconds. */
  survival: (ms: number) => number
  /** The duration that a number from 0 to 1 stands for; falls with it. */
  sample: (uniform: number) => number
}

const minute = 60_000
const hour = 60 * minute

/** Probability of a standard normal number above `x`; exact to 1e-7. */
const normalTail = (x: number): number => {
  const t = 1 / (1 + 0.5 * Math.abs(x / Math.SQRT2))
  const z = x / Math.SQRT2
  const series =
    -z * z -
    1.26551223 +
    t *
      (1.00002368 +
        t *
          (0.37409196 +
            t *
              (0.09678418 +
                t *
                  (-0.18628806 +
                    t * (0.27886807 + t * (-1.13520398 + t * (1.48851587 + t * (-0.82215223 + t * 0.17087277))))))))
  const tail = 0.5 * t * Math.exp(series)
  return x >= 0 ? tail : 1 - tail
}

const logNormal = (medianMs: number, sigma: number) => (ms: number) =>
  ms <= 0 ? 1 : normalTail(Math.log(ms / medianMs) / sigma)

/** Finishes the description of a distribution from its survival function, cut at `longestMs`. */
const durations = (name: string, kind: RecordKind, maxMs: number, uncut: (ms: number) => number): Durations => {
  const survival = (ms: number) => (ms >= maxMs ? 0 : uncut(ms))
  const sample = (uniform: number) => {
    let low = 0
    let high = maxMs
    for (let step = 0; step < 40; step += 1) {
      const middle = (low + high) / 2
      if (survival(middle) > uniform) low = middle
      else high = middle
    }
    return high
  }
  const parts = 20_000
  let meanMs = 0
  for (let part = 0; part < parts; part += 1) {
    const from = maxMs * (part / parts) ** 3
    const to = maxMs * ((part + 1) / parts) ** 3
    meanMs += ((survival(from) + survival(Math.min(to, maxMs - 1e-6))) / 2) * (to - from)
  }
  return { name, kind, meanMs, maxMs, survival, sample }
}

/** Static exports of a few minutes: log-normal around eight. */
export const exportsOfMinutes = durations('exports, minutes', 'static_exports', 3 * hour, logNormal(8 * minute, 0.6))

/** Agent jobs: half are through in 25 minutes, one of a hundred runs for most of a day, and none longer. */
export const jobsOfHours = durations('agent jobs, heavy tail', 'agent_jobs', 24 * hour, (ms) =>
  ms <= 0 ? 1 : 1 / (1 + (ms / (25 * minute)) ** 1.6),
)

const short = logNormal(3 * minute, 0.4)
const long = logNormal(40 * minute, 0.4)

/** Agent jobs of two sorts: three of five take about three minutes, the others about forty. */
export const jobsOfTwoSorts = durations(
  'agent jobs, two sorts',
  'agent_jobs',
  6 * hour,
  (ms) => 0.6 * short(ms) + 0.4 * long(ms),
)

/** Every distribution that is simulated. */
export const allDurations: readonly Durations[] = [exportsOfMinutes, jobsOfHours, jobsOfTwoSorts]
