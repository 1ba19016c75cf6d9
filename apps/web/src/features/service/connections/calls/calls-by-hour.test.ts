import { expect, test } from 'vitest'
import { fillCallsByHour, findScaleTop } from './calls-by-hour.ts'

const nowMs = Date.parse('2026-03-01T12:34:56.000Z')
const entry = (hour: string, polls: number) => ({ hour, polls, clicks: 0, rateLimited: 0, failed: 0 })

test('hours without calls are filled in, and the current hour comes last', () => {
  const hours = fillCallsByHour([entry('2026-03-01T03:00:00.000Z', 7), entry('2026-03-01T12:00:00.000Z', 3)], nowMs)
  expect(hours).toHaveLength(24)
  expect(hours[0]?.hour).toBe('2026-02-28T13:00:00.000Z')
  expect(hours.map(({ polls }) => polls)).toEqual([...Array(14).fill(0), 7, ...Array(8).fill(0), 3])
})

test('calls older than 24 hours are left out', () => {
  expect(fillCallsByHour([entry('2026-02-28T12:00:00.000Z', 9)], nowMs).every(({ polls }) => polls === 0)).toBe(true)
})

test('the chart’s maximum is a round number and never below the highest bar', () => {
  expect([0, 1, 3, 7, 10, 11, 480, 2390, 3601].map(findScaleTop)).toEqual([1, 1, 3, 8, 10, 15, 500, 2500, 4000])
})
