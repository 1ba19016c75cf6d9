import { expect, test } from 'vitest'
import { compareDuration, formatSpan, formatUsualDuration } from './durations.ts'

const minute = 60_000
const usual = { sample: 23, p25Ms: 4 * minute, p50Ms: 5 * minute, p75Ms: 6 * minute, p95Ms: 9 * minute }

test('a span is printed in the unit of its longer end, and as one number if both ends are equal', () => {
  expect(formatSpan(4 * minute, 6 * minute)).toBe('4–6 min')
  expect(formatSpan(12_000, 48_000)).toBe('12–48 s')
  expect(formatSpan(30 * minute, 80 * minute)).toBe('30–80 min')
  expect(formatSpan(2 * 60 * minute, 5 * 60 * minute)).toBe('2–5 h')
  expect(formatSpan(50 * 60 * minute, 75 * 60 * minute)).toBe('2–3 d')
  expect(formatSpan(4.8 * minute, 5.2 * minute)).toBe('about 5 min')
})

test('a span whose shorter end is below half a unit is printed in two units and never shows zero', () => {
  expect(formatSpan(20_000, 3 * minute)).toBe('20 s to 3 min')
  expect(formatSpan(100, 300)).toBe('0 s to 1 s')
})

test('the usual duration names its sample size', () => {
  expect(formatUsualDuration(usual, 'export')).toBe('Usually 4–6 min (last 23 exports)')
})

test('fewer than five earlier durations give no usual duration', () => {
  expect(formatUsualDuration(null, 'export')).toBeNull()
  expect(formatUsualDuration({ ...usual, sample: 4 }, 'export')).toBeNull()
  expect(compareDuration({ ...usual, sample: 4 }, 60 * minute)).toBeNull()
  expect(compareDuration(null, 60 * minute)).toBeNull()
})

test('only a duration above the third quartile has a remark', () => {
  expect(compareDuration(usual, 6 * minute)).toBeNull()
  expect(compareDuration(usual, 7 * minute)).toBe('longer than three quarters of the earlier 23')
  expect(compareDuration(usual, 9 * minute)).toBe('longer than three quarters of the earlier 23')
  expect(compareDuration(usual, 10 * minute)).toBe('longer than 95 % of the earlier 23')
})

test('with fewer than twenty earlier durations, one above the 95th percentile exceeds all of them', () => {
  expect(compareDuration({ ...usual, sample: 19 }, 10 * minute)).toBe('longer than all of the earlier 19')
  expect(compareDuration({ ...usual, sample: 20 }, 10 * minute)).toBe('longer than 95 % of the earlier 20')
})
