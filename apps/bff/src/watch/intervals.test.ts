import { expect, test } from 'vitest'
import { embeddedPace, fullJitter, hostedPace, nextRead, nextSettledRead } from '#watch/intervals.ts'

const middle = () => 0.5
const at = (ageMs: number, more: object = {}) =>
  nextRead({ now: ageMs, since: new Date(0), pace: hostedPace, random: middle, ...more }).getTime() - ageMs
const minute = 60_000

test('a changing record is read less often as it ages', () => {
  expect([0, minute, 10 * minute, 60 * minute, 1000 * minute].map((age) => at(age))).toEqual([
    2000, 5000, 15_000, 60_000, 60_000,
  ])
})

test('records of one age spread over a fifth of their interval', () => {
  expect(at(0, { random: () => 0 })).toBe(1800)
  expect(at(0, { random: () => 1 })).toBe(2200)
})

test('the embedded service is read four times as often', () => {
  expect(at(0, { pace: embeddedPace })).toBe(500)
})

test('failures push the next read back at random, doubling up to five minutes', () => {
  const worst = (failures: number) => at(0, { failures, random: () => 1 }) - 2200
  expect([1, 2, 3].map(worst)).toEqual([4000, 8000, 16_000])
  expect(worst(1000)).toBe(5 * minute)
  expect(at(0, { failures: 5, random: () => 0 })).toBe(1800)
})

test('Retry-After is never undercut and never shortens a wait', () => {
  expect(at(0, { retryAfterMs: 30_000 })).toBe(30_000)
  expect(at(0, { retryAfterMs: 10 })).toBe(2000)
})

test('full jitter starts at nothing and stays under its cap', () => {
  expect(fullJitter(1, { baseMs: 100, capMs: 1000, random: () => 0 })).toBe(0)
  expect(fullJitter(50, { baseMs: 100, capMs: 1000, random: () => 1 })).toBe(1000)
})

test('a settled record is read five more times within a day and then never', () => {
  const reads: number[] = []
  for (let next = nextSettledRead(0, new Date(0)); next !== null; next = nextSettledRead(next.getTime(), new Date(0)))
    reads.push(next.getTime() / minute)
  expect(reads).toEqual([1, 10, 60, 360, 1440])
})
