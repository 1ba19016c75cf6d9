import { expect, test } from 'vitest'
import { AdminApiError, type UpstreamCode } from '#ground/errors/app-error.ts'
import {
  applyFailedCall,
  applyGoodAnswer,
  startCall,
  findClickRefusal,
  pausedUntil,
  initialState,
  countAllowedPolls,
  CallsPaused,
} from './circuit-breaker.ts'

const leaseMs = 40_000

const setUp = () => {
  const clock = { ms: 1_000_000 }
  let state = initialState
  /** A call that begins now; it ends when the test says so. */
  const start = () => {
    const { state: during, call } = startCall(state, clock.ms, leaseMs)
    state = during
    return {
      good: () => void (state = applyGoodAnswer(state, call, clock.ms)),
      fail: (code: UpstreamCode, retryAfterMs: number | null = null) => {
        const error = new AdminApiError(code, `It said ${code}.`, { effect: 'none', retryAfterMs })
        state = applyFailedCall(state, call, error, { nowMs: clock.ms, random: () => 1 })
      },
    }
  }
  return {
    clock,
    start,
    fail: (code: UpstreamCode, retryAfterMs: number | null = null) => start().fail(code, retryAfterMs),
    succeed: () => start().good(),
    allowance: (wanted: number) => countAllowedPolls(state, wanted, clock.ms),
    opensAt: () => pausedUntil(state, clock.ms),
    click: () => findClickRefusal(state, clock.ms),
    readPause: () => state.pause,
  }
}

test('Retry-After stops every call, even clicks, until it ends', () => {
  const { clock, fail, succeed, allowance, opensAt, click } = setUp()
  fail('upstream_rate_limited', 30_000)
  expect(allowance(8)).toBe(0)
  expect(opensAt()).toBe(clock.ms + 30_000)
  clock.ms += 29_999
  expect(click()).toBeInstanceOf(CallsPaused)
  expect(click()).toMatchObject({ code: 'upstream_rate_limited', retryAfterMs: 1000 })
  clock.ms += 1
  expect(click()).toBeNull()
  expect(allowance(8)).toBe(1)
  succeed()
  expect(allowance(8)).toBe(8)
  expect(opensAt()).toBeNull()
})

test('after a rejected key, one probe a minute is allowed, and only one at a time', () => {
  const { clock, start, fail, allowance } = setUp()
  fail('upstream_key_rejected')
  clock.ms += 59_999
  expect(allowance(8)).toBe(0)
  clock.ms += 1
  expect(allowance(8)).toBe(1)
  const probe = start()
  expect(allowance(8)).toBe(0)
  probe.fail('upstream_key_rejected')
  clock.ms += 59_999
  expect(allowance(8)).toBe(0)
  clock.ms += 1
  start().good()
  expect(allowance(8)).toBe(8)
})

test('a lost probe is replaced when its lease expires, and its late response does not end the next probe', () => {
  const { clock, start, fail, allowance, opensAt } = setUp()
  fail('upstream_key_rejected')
  clock.ms += 60_000
  const lost = start()
  clock.ms += leaseMs - 1
  expect(allowance(8)).toBe(0)
  expect(opensAt()).toBe(clock.ms + 2000)
  clock.ms += 1
  expect(allowance(8)).toBe(1)
  start()
  lost.fail('upstream_not_found')
  // The answer itself proves that the service works.
  expect(allowance(8)).toBe(8)
  fail('upstream_rate_limited', 1000)
  clock.ms += 1000
  expect(allowance(8)).toBe(0)
})

test('a click may try a rejected key again after five seconds', () => {
  const { clock, start, fail, allowance, click } = setUp()
  fail('upstream_key_rejected')
  expect(click()).toBeInstanceOf(CallsPaused)
  clock.ms += 5000
  expect(click()).toBeNull()
  start().good()
  expect(allowance(8)).toBe(8)
})

test('a 403 pauses all calls if no call succeeds, and only its record if others succeed', () => {
  const { clock, fail, succeed, allowance } = setUp()
  fail('upstream_forbidden')
  expect(allowance(8)).toBe(0)
  clock.ms += 60_000
  succeed()
  fail('upstream_forbidden')
  expect(allowance(8)).toBe(8)
})

test('the third time-out in a row counts as an outage, and the pauses grow', () => {
  const { clock, fail, allowance, opensAt } = setUp()
  fail('upstream_timeout')
  fail('upstream_unavailable')
  expect(allowance(8)).toBe(8)
  const pauses: number[] = []
  for (let failures = 0; failures < 7; failures += 1) {
    fail('upstream_timeout')
    const opens = opensAt() ?? 0
    pauses.push(opens - clock.ms)
    clock.ms = opens
  }
  expect(pauses).toEqual([3000, 5000, 9000, 17_000, 33_000, 61_000, 61_000])
})

test('concurrent failures count as one', () => {
  const { clock, start, fail, opensAt } = setUp()
  fail('upstream_unavailable')
  fail('upstream_unavailable')
  const together = Array.from({ length: 8 }, start)
  for (const call of together) call.fail('upstream_unavailable')
  expect(opensAt()).toBe(clock.ms + 3000)
})

test('a click waits only for Retry-After, even if polling pauses for longer', () => {
  const { clock, fail, opensAt, click } = setUp()
  for (let failures = 0; failures < 9; failures += 1) fail('upstream_unavailable', 10_000)
  expect(opensAt()).toBe(clock.ms + 61_000)
  clock.ms += 9_000
  expect(click()).toMatchObject({ retryAfterMs: 1000 })
  clock.ms += 1_000
  expect(click()).toBeNull()
})

test('another refusal does not shorten a Retry-After', () => {
  const { clock, start, fail, click } = setUp()
  const early = start()
  fail('upstream_rate_limited', 30_000)
  early.fail('upstream_key_rejected')
  clock.ms += 29_000
  expect(click()).toMatchObject({ retryAfterMs: 1000 })
  clock.ms += 1_000
  expect(click()).toBeNull()
})

test('the last pause keeps its reason, its start and its end', () => {
  const { clock, start, fail, succeed, readPause } = setUp()
  succeed()
  expect(readPause()).toBeNull()
  const closedMs = clock.ms
  fail('upstream_key_rejected')
  clock.ms += 60_000
  fail('upstream_key_rejected')
  expect(readPause()).toEqual({ code: 'upstream_key_rejected', fromMs: closedMs, toMs: clock.ms + 60_000 })
  clock.ms += 70_000
  start().good()
  expect(readPause()).toEqual({ code: 'upstream_key_rejected', fromMs: closedMs, toMs: clock.ms })
  clock.ms += 1000
  succeed()
  expect(readPause()).toMatchObject({ toMs: clock.ms - 1000 })
  fail('upstream_rate_limited', 5000)
  expect(readPause()).toEqual({ code: 'upstream_rate_limited', fromMs: clock.ms, toMs: clock.ms + 5000 })
})

test('a record that always fails does not pause other records', () => {
  const { fail, succeed, allowance } = setUp()
  for (let round = 0; round < 10; round += 1) {
    fail('upstream_unavailable')
    succeed()
  }
  expect(allowance(8)).toBe(8)
})

test('a good answer does not end a pause that began after its call', () => {
  const { start, fail, allowance } = setUp()
  const early = start()
  fail('upstream_rate_limited', 60_000)
  early.good()
  expect(allowance(8)).toBe(0)
})

test('a 404 also proves that the service works', () => {
  const { clock, fail, allowance } = setUp()
  fail('upstream_rate_limited', 1000)
  clock.ms += 1000
  fail('upstream_not_found')
  expect(allowance(8)).toBe(8)
})

test('a clock set back by hours makes no pause longer than the service asked for', () => {
  const { clock, fail, allowance, click } = setUp()
  clock.ms += 100 * 3_600_000
  fail('upstream_rate_limited', 60_000)
  clock.ms -= 50 * 3_600_000
  expect(allowance(8)).toBe(1)
  expect(click()).toBeNull()
})

test('a Docket with a clock a minute behind still keeps the longest pause, even one set by another Docket', () => {
  const { clock, fail, allowance, click } = setUp()
  fail('upstream_rate_limited', 3_600_000)
  clock.ms -= 60_000
  expect(allowance(8)).toBe(0)
  expect(click()).toBeInstanceOf(CallsPaused)
})
