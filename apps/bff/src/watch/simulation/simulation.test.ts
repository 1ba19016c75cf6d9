import { expect, test } from 'vitest'
import { steadyBound } from './best.ts'
import { allDurations, exportsOfMinutes, jobsOfHours, jobsOfTwoSorts } from './durations.ts'
import { figuresOf } from './figures.ts'
import { leastCost } from './least-cost.ts'
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
  'no call is refused, every end is noticed, and on average as late as the best schedule but for 15 % ($active active, $callsPerHour an hour)',
  async ({ endings, ...cell }) => {
    const { docket, fixed, bestMs } = await figuresOf(cell, endings)
    expect(docket.refused).toBe(0)
    expect(docket.busiestHour).toBeLessThanOrEqual(cell.callsPerHour)
    expect(docket.noticed).toBe(docket.jobs)
    expect(docket.meanMs / bestMs).toBeLessThanOrEqual(1.15)
    // A bound that figures undercut would be none.
    expect(docket.meanMs / bestMs).toBeGreaterThan(0.97)
    expect(fixed.refused).toBeGreaterThan(0)
    expect(fixed.meanMs).toBeGreaterThan(docket.meanMs)
  },
  60_000,
)

test.each(allDurations)('the bound of $name does not depend on how finely it is computed', (durations) => {
  for (const priceMs of [1e4, 1e6]) {
    const cost = (fineness: number) => leastCost(durations, priceMs, fineness)
    expect(Math.abs(cost(2) / cost(1) - 1)).toBeLessThan(0.01)
  }
})

test('of a constant hazard the bound is what can be worked out by hand', () => {
  const meanMs = 600_000
  const longestMs = 40 * meanMs
  const durations = {
    name: 'constant hazard',
    kind: 'agent_jobs' as const,
    meanMs,
    longestMs,
    survival: (ms: number) => (ms >= longestMs ? 0 : Math.exp(-ms / meanMs)),
    sample: () => meanMs,
  }
  // Every record read each mean duration: 1 / (1 − 1/e) calls each, and late by 1 / (e − 1) of a mean duration.
  const callsPerHour = (6 / (1 - Math.exp(-1))) * 10
  const expectedMs = meanMs / (Math.E - 1)
  expect(steadyBound([{ durations, places: 10 }], callsPerHour) / expectedMs).toBeCloseTo(1, 2)
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

test('the simulated service refuses what is more than its limit in any hour, and says when it is free again', () => {
  const service = countingService(2)
  expect([0, 10, 20].map(service.answers)).toEqual([true, true, false])
  expect(service.freeAt()).toBe(3_600_000)
  expect([3_599_999, 3_600_000, 3_600_001].map(service.answers)).toEqual([false, true, false])
  expect(service.refused()).toBe(3)
  expect(service.busiestHour()).toBe(2)
})
