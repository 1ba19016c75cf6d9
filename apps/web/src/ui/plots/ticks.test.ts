import { expect, test } from 'vitest'
import { keepZone } from '#lib/time/zone.ts'
import { chooseDurationTicks, findNearest, chooseNumberTicks, labelTimes, createTimeScale } from './ticks.ts'

test('grid lines are few round numbers from zero to at least the largest value', () => {
  for (const max of [0, 1, 3, 7, 42, 999, 12_345, 3_600_000, 90_000_000, 4_000_000_000])
    for (const ticks of [chooseNumberTicks(max), chooseDurationTicks(max)]) {
      expect(ticks[0]).toBe(0)
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(max)
      expect(ticks.length).toBeGreaterThanOrEqual(2)
      expect(ticks.length).toBeLessThanOrEqual(6)
    }
  expect(chooseDurationTicks(200_000)).toEqual([0, 60_000, 120_000, 180_000, 240_000])
  expect(chooseDurationTicks(40_000)).toEqual([0, 10_000, 20_000, 30_000, 40_000])
  expect(chooseNumberTicks(2)).toEqual([0, 1, 2, 3])
})

test('a single point in time is centred on an axis that still has time labels', () => {
  const single = createTimeScale([5_000, 5_000], [40, 100])
  expect(single(5_000)).toBe(70)
  expect(single.ticks(3).length).toBeGreaterThan(1)
  expect(createTimeScale([0, 100], [0, 106])(100)).toBeCloseTo(103)
})

test('an axis is labelled with clock times, days or months, depending on its steps', () => {
  const at = (...days: number[]) => labelTimes(days.map((day) => new Date(Date.UTC(2026, 4, 1, 12) + day * 86_400_000)))
  expect(at(0, 0.25).join(' ')).toMatch(/:00/)
  expect(at(0, 1).join(' ')).toMatch(/May 1|1 May/)
  expect(at(0, 31).join(' ')).toMatch(/May 2026 Jun 2026/)
  const [first, repeated] = at(0, 10 / 86_400)
  expect([/:00/.test(first!), repeated]).toEqual([true, ''])
})

test('the days of an axis begin in the zone that the reader chose', () => {
  keepZone('Asia/Tokyo')
  const from = Date.parse('2026-11-21T20:30:00Z')
  const days = createTimeScale([from, from + 7 * 86_400_000], [0, 700]).ticks(7)
  keepZone(null)
  expect(days.map((day) => day.getUTCHours())).toEqual(Array(7).fill(15))
})

test('the nearest point is found, and an empty plot has none', () => {
  expect(findNearest([0, 10, 20], 14)).toBe(1)
  expect(findNearest([0, 10, 20], 99)).toBe(2)
  expect(findNearest([], 1)).toBe(-1)
})
