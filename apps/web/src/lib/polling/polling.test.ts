import { expect, test } from 'vitest'
import { measureFailure, computePollMs, refetchInterval, type PollInput } from './polling.ts'

const calm: PollInput = { live: false, settled: false, paused: false, liveMs: 1000, failingForMs: 0, retryAfterMs: 0 }

test('a page polls fast while a record is live and slowly otherwise', () => {
  expect(computePollMs({ ...calm, live: true })).toBe(1000)
  expect(computePollMs(calm)).toBe(20_000)
})

test('nothing is polled when nothing can change', () => {
  expect(computePollMs({ ...calm, settled: true })).toBe(false)
})

test('a paused page never polls', () => {
  for (const live of [true, false])
    for (const failingForMs of [0, 9000])
      expect(computePollMs({ ...calm, live, failingForMs, paused: true })).toBe(false)
})

test('polling backs off up to a limit while reads fail, even for settled records', () => {
  const pauses = [1, 4000, 20_000, 60_000, 3_600_000].map((failingForMs) =>
    computePollMs({ ...calm, live: true, failingForMs }),
  )
  expect(pauses).toEqual([2000, 2000, 10_000, 30_000, 30_000])
  expect(computePollMs({ ...calm, settled: true, failingForMs: 4000 })).toBe(2000)
})

test('polling waits as long as the server requests', () => {
  expect(computePollMs({ ...calm, failingForMs: 4000, retryAfterMs: 45_000 })).toBe(45_000)
})

test('the duration of a failure counts from the last success', () => {
  const error = Object.assign(new Error('gone'), { retryAfterMs: 5000 })
  expect(measureFailure({ status: 'error', dataUpdatedAt: 1000, errorUpdatedAt: 9000, error })).toEqual({
    failingForMs: 8000,
    retryAfterMs: 5000,
  })
  expect(
    measureFailure({ status: 'success', dataUpdatedAt: 9500, errorUpdatedAt: 9000, error: null }).failingForMs,
  ).toBe(0)
})

test('a query without any success counts as failing', () => {
  const state = { status: 'error', dataUpdatedAt: 0, errorUpdatedAt: Date.now(), error: new Error('gone') }
  expect(measureFailure(state).failingForMs).toBeGreaterThan(0)
})

test('a query is polled fast while its data is live, slowly before its first response, and never once it is settled', () => {
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
