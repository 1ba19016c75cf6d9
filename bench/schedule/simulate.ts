import { exportsOfMinutes, jobsOfHours, jobsOfTwoSorts, type Durations } from './durations.ts'
import { toFigures, type Cell, type Figures, type Lateness } from './figures.ts'

const sorts: readonly (readonly Durations[])[] = [
  [exportsOfMinutes],
  [jobsOfHours],
  [jobsOfTwoSorts],
  [exportsOfMinutes, jobsOfHours],
]

const print = (line: string) => void process.stdout.write(`${line}\n`)

const span = (ms: number): string => {
  if (!Number.isFinite(ms)) return 'never'
  if (ms < 120_000) return `${(ms / 1000).toPrecision(3)} s`
  return ms < 7_200_000 ? `${(ms / 60_000).toPrecision(3)} min` : `${(ms / 3_600_000).toPrecision(3)} h`
}
const spans = ({ meanMs, p50Ms, p95Ms }: Lateness) => [meanMs, p50Ms, p95Ms].map(span).join(' · ')

/**
 * Enough jobs that chance moves a mean by a few percent; where they outrun the budget, so many that the first hours
 * hardly count.
 */
const countEndings = ({ active, callsPerHour, durations }: Cell): number => {
  const endingsPerHour = durations.reduce(
    (sum, { meanMs }) => sum + (3_600_000 * active) / durations.length / meanMs,
    0,
  )
  if (endingsPerHour > callsPerHour) return callsPerHour < 1000 ? 60 * callsPerHour : 30 * callsPerHour
  const maxMs = Math.max(...durations.map((distribution) => distribution.maxMs))
  return Math.max(active === 1 ? 1000 : 2500, Math.ceil((endingsPerHour * maxMs) / 3_600_000))
}

const row = ({ cell, docket, fixed, callsPerEnding }: Figures): string =>
  [
    '',
    cell.callsPerHour,
    cell.active,
    callsPerEnding.toPrecision(2),
    docket.callsPerHour.toFixed(0),
    docket.refused,
    `${((100 * docket.noticed) / docket.jobs).toFixed(0)} %`,
    spans(docket),
    spans(fixed),
    `${((100 * fixed.refused) / fixed.calls).toFixed(0)} %`,
    '',
  ]
    .join(' | ')
    .trim()

for (const durations of sorts) {
  const names = durations.map(({ name, meanMs }) => `${name} (mean ${span(meanMs)})`)
  print(`\n**${names.join(' and ')}**\n`)
  print(
    '| budget | active | calls for each job | calls/h | refused | noticed | late: mean · p50 · p95 | every 5 s: mean · p50 · p95 | of its calls refused |',
  )
  print('| --- | --- | --- | --- | --- | --- | --- | --- | --- |')
  for (const callsPerHour of [100, 3600])
    for (const active of [1, 10, 100, 1000]) {
      const cell = { durations, active, callsPerHour }
      print(row(await toFigures(cell, countEndings(cell))))
    }
}
