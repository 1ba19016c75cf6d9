import { expect, test } from 'vitest'
import { allDurations, exportsOfMinutes, jobsOfHours, jobsOfTwoSorts } from './durations.ts'
import { toFigures } from './figures.ts'
import { seeded } from './random.ts'
import { countingService } from './service.ts'

test.each([
  { durations: [exportsOfMinutes], active: 1, callsPerHour: 100, endings: 300 },
  { durations: [exportsOfMinutes], active: 100, callsPerHour: 3600, endings: 1000 },
  { durations: [jobsOfHours], active: 10, callsPerHour: 100, endings: 400 },
  { durations: [jobsOfTwoSorts], active: 1, callsPerHour: 100, endings: 200 },
  { durations: [exportsOfMinutes], active: 10, callsPerHour: 3600, endings: 100 },
  { durations: [exportsOfMinutes], active: 1000, callsPerHour: 100, endings: 2000 },
  { durations: [exportsOfMinutes, jobsOfHours], active: 100, callsPerHour: 100, endings: 1500 },
])(
  'the service refuses no call and Docket notices every end ($active active, $callsPerHour an hour)',
  async ({ endings, ...cell }) => {
    const { docket } = await toFigures(cell, endings)
    expect(docket.refused).toBe(0)
    expect(docket.busiestHour).toBeLessThanOrEqual(cell.callsPerHour)
    expect(docket.noticed).toBe(docket.jobs)
  },
)

test('one job that nobody looks at takes a small part of the budget', async () => {
  const { docket } = await toFigures({ durations: [jobsOfHours], active: 1, callsPerHour: 3600 }, 200)
  expect(docket.callsPerHour).toBeLessThan(300)
})

test('samples of a duration are distributed as their survival says', () => {
  const random = seeded(1)
  for (const { sample, survival, meanMs } of allDurations) {
    const sampled = Array.from({ length: 20_000 }, () => sample(random()))
    const mean = sampled.reduce((sum, ms) => sum + ms, 0) / sampled.length
    expect(Math.abs(mean / meanMs - 1)).toBeLessThan(0.06)
    for (const ms of [meanMs / 4, meanMs, 2 * meanMs])
      expect(Math.abs(sampled.filter((one) => one > ms).length / sampled.length - survival(ms))).toBeLessThan(0.015)
  }
})

test('the simulated service refuses calls beyond its limit in any hour, and says when it is free again', () => {
  const service = countingService(2)
  expect([0, 10, 20].map(service.answers)).toEqual([true, true, false])
  expect(service.freeAt()).toBe(3_600_000)
  expect([3_599_999, 3_600_000, 3_600_001].map(service.answers)).toEqual([false, true, false])
  expect(service.refused()).toBe(3)
  expect(service.busiestHour()).toBe(2)
})
