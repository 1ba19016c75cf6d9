import { expect, test } from 'vitest'
import { measureFailure, pollMs, refetchInterval, type PollInput } from './polling.ts'

const calm: PollInput = { live: false, settled: false, paused: false, liveMs: 1000, failingForMs: 0, retryAfterMs: 0 }

test('a page is read fast while something moves and slowly otherwise', () => {
  expect(pollMs({ ...calm, live: true })).toBe(1000)
  expect(pollMs(calm)).toBe(20_000)
})

test('nothing is read when nothing can change', () => {
  expect(pollMs({ ...calm, settled: true })).toBe(false)
})

test('a paused page reads nothing, whatever happens', () => {
  for (const live of [true, false])
    for (const failingForMs of [0, 9000]) expect(pollMs({ ...calm, live, failingForMs, paused: true })).toBe(false)
})

test('while reads fail the pauses grow up to a limit, also for what was settled', () => {
  const pauses = [1, 4000, 20_000, 60_000, 3_600_000].map((failingForMs) =>
    pollMs({ ...calm, live: true, failingForMs }),
  )
  expect(pauses).toEqual([2000, 2000, 10_000, 30_000, 30_000])
  expect(pollMs({ ...calm, settled: true, failingForMs: 4000 })).toBe(2000)
})

test('the wait that the server asked for is kept', () => {
  expect(pollMs({ ...calm, failingForMs: 4000, retryAfterMs: 45_000 })).toBe(45_000)
})

test('the duration of failing reads counts from the last good one', () => {
  const error = Object.assign(new Error('gone'), { retryAfterMs: 5000 })
  expect(measureFailure({ status: 'error', dataUpdatedAt: 1000, errorUpdatedAt: 9000, error })).toEqual({
    failingForMs: 8000,
    retryAfterMs: 5000,
  })
  expect(
    measureFailure({ status: 'success', dataUpdatedAt: 9500, errorUpdatedAt: 9000, error: null }).failingForMs,
  ).toBe(0)
})

test('a page that never got an answer is failing too', () => {
  const state = { status: 'error', dataUpdatedAt: 0, errorUpdatedAt: Date.now(), error: new Error('gone') }
  expect(measureFailure(state).failingForMs).toBeGreaterThan(0)
})

test('a query is read fast while its data is live, not at all once it is settled, and slowly before its first response', () => {
  const poll = refetchInterval<string>({
    paused: false,
    isLive: (data) => data === 'running',
    isSettled: (data) => data !== 'unknown',
    slowdown: 2,
  })
  const read = (data?: string) =>
    poll({ state: { data, status: 'success', dataUpdatedAt: 1, errorUpdatedAt: 0, error: null } })
  expect([read('running'), read('done'), read('unknown'), read()]).toEqual([5000, false, 20_000, 20_000])
})
