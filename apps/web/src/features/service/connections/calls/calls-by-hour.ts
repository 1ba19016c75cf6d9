import type { ConnectionReport } from '@docket/api-types/connection'

/** The calls of one hour. `hour` is when it began: ISO 8601, UTC. */
export type HourOfCalls = ConnectionReport['hours'][number]

const hourMs = 3_600_000

/** The last 24 hours without a gap, oldest first; the last one is the current hour. */
export const fillCallsByHour = (hours: readonly HourOfCalls[], nowMs: number): HourOfCalls[] => {
  const known = new Map(hours.map((entry) => [Math.floor(Date.parse(entry.hour) / hourMs), entry]))
  const running = Math.floor(nowMs / hourMs)
  return Array.from({ length: 24 }, (_, index) => {
    const at = running - 23 + index
    return (
      known.get(at) ?? { hour: new Date(at * hourMs).toISOString(), polls: 0, clicks: 0, rateLimited: 0, failed: 0 }
    )
  })
}

/** A round number of at least `max`, for the top of the chart. */
export const findScaleTop = (max: number): number => {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, max))))
  return [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].map((step) => Math.ceil(step * power)).find((top) => top >= max) ?? max
}
