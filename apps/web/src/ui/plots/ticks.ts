import { scaleLinear, scaleTime, scaleUtc } from 'd3-scale'
import { createZonedFormat, fromWallMs, toWallMs } from '#lib/time/zone.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const durationSteps = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
]

/** Values of a plot's grid lines from 0; the last one is not below `max`. */
export type Ticks = (max: number) => number[]

/** Three to five round numbers. */
export const chooseNumberTicks: Ticks = (max) => {
  const top = Math.max(max, 3)
  return scaleLinear().domain([0, top]).nice(3).ticks(3)
}

/** At most five durations that people use: 10 s, 5 min, 2 h. Milliseconds. */
export const chooseDurationTicks: Ticks = (max) => {
  const step = durationSteps.find((ms) => ms * 4 >= max) ?? Math.ceil(max / 4 / day) * day
  return Array.from({ length: Math.max(1, Math.ceil(max / step)) + 1 }, (_, index) => index * step)
}

/** Room around points, so that those at the edges are not cut. */
const padding = 0.03

/** Scale of times in the reader's zone. A single moment is in the middle of two hours. */
export const createTimeScale = (times: readonly number[], [from, to]: readonly [number, number]) => {
  const [first, last] = [Math.min(...times), Math.max(...times)]
  const room = first === last ? hour : (last - first) * padding
  const zoned = scaleUtc([toWallMs(first - room), toWallMs(last + room)], [from, to])
  return Object.assign(scaleTime([first - room, last + room], [from, to]), {
    ticks: (count: number): Date[] => zoned.ticks(count).map((wall) => new Date(fromWallMs(wall.getTime()))),
  })
}

const formats = {
  clock: createZonedFormat({ timeStyle: 'short' }),
  day: createZonedFormat({ day: 'numeric', month: 'short' }),
  month: createZonedFormat({ month: 'short', year: 'numeric' }),
}

/** Labels for the times of an axis: clock times, days or months, as the smallest step between them allows. Empty instead of repeated. */
export const labelTimes = (times: readonly Date[]): string[] => {
  const steps = times.slice(1).map((time, index) => time.getTime() - times[index]!.getTime())
  const step = Math.min(day, ...steps)
  const format = step < day * 0.9 ? formats.clock : Math.min(...steps) >= 27 * day ? formats.month : formats.day
  const labels = times.map((time) => format().format(time))
  return labels.map((label, index) => (label === labels[index - 1] ? '' : label))
}

const utcDay = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** A day of UTC by its beginning, in milliseconds since the epoch. */
export const formatUtcDay = (atMs: number): string => utcDay.format(atMs)

/** Index of the position nearest to `x`; -1 without positions. */
export const findNearest = (positions: readonly number[], x: number): number =>
  positions.reduce(
    (best, position, index) => (best < 0 || Math.abs(position - x) < Math.abs(positions[best]! - x) ? index : best),
    -1,
  )
