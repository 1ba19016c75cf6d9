import { expect, test } from 'vitest'
import { AdminApiError, type UpstreamCode } from '#admin-api/admin-api.ts'
import { callGate, GateClosed } from '#watch/gate.ts'

const setUp = () => {
  const clock = { ms: 1_000_000 }
  const gate = callGate({ now: () => clock.ms, random: () => 1 })
  const fail = (code: UpstreamCode, retryAfterMs: number | null = null) =>
    gate
      .call(() => Promise.reject(new AdminApiError(code, `It said ${code}.`, { effect: 'none', retryAfterMs })))
      .catch((error: unknown) => error)
  return { clock, gate, fail, succeed: () => gate.call(() => Promise.resolve('good')) }
}

test('Retry-After stops every call, also clicks, until it is over', async () => {
  const { clock, gate, fail, succeed } = setUp()
  await fail('upstream_rate_limited', 30_000)
  expect(gate.allowance(8)).toBe(0)
  expect(gate.opensAt()).toEqual(new Date(clock.ms + 30_000))
  clock.ms += 29_999
  let calls = 0
  const refused = gate.call(() => Promise.resolve((calls += 1)), { click: true })
  await expect(refused).rejects.toBeInstanceOf(GateClosed)
  await expect(refused).rejects.toMatchObject({ code: 'upstream_rate_limited', retryAfterMs: 1000 })
  expect(calls).toBe(0)
  clock.ms += 1
  expect(gate.allowance(8)).toBe(1)
  await succeed()
  expect(gate.allowance(8)).toBe(8)
  expect(gate.opensAt()).toBeNull()
})

test('a rejected key leaves one probe a minute, and only one at a time', async () => {
  const { clock, gate, fail } = setUp()
  await fail('upstream_key_rejected')
  clock.ms += 59_999
  expect(gate.allowance(8)).toBe(0)
  clock.ms += 1
  expect(gate.allowance(8)).toBe(1)
  let answer: (value: string) => void = () => {}
  const probe = gate.call(() => new Promise<string>((resolve) => (answer = resolve)))
  expect(gate.allowance(8)).toBe(0)
  await expect(gate.call(() => Promise.resolve('second'))).rejects.toBeInstanceOf(GateClosed)
  answer('good')
  await probe
  expect(gate.allowance(8)).toBe(8)
})

test('a person may try a rejected key again after five seconds', async () => {
  const { clock, gate, fail } = setUp()
  await fail('upstream_key_rejected')
  await expect(gate.call(() => Promise.resolve(1), { click: true })).rejects.toBeInstanceOf(GateClosed)
  clock.ms += 5000
  expect(await gate.call(() => Promise.resolve(1), { click: true })).toBe(1)
  expect(gate.allowance(8)).toBe(8)
})

test('a 403 slows everything when nothing else works, and only its own record when others do', async () => {
  const { clock, gate, fail, succeed } = setUp()
  await fail('upstream_forbidden')
  expect(gate.allowance(8)).toBe(0)
  clock.ms += 60_000
  await succeed()
  await fail('upstream_forbidden')
  expect(gate.allowance(8)).toBe(8)
})

test('the third time-out in a row is an outage, and its pauses grow', async () => {
  const { clock, gate, fail } = setUp()
  await fail('upstream_timeout')
  await fail('upstream_unavailable')
  expect(gate.allowance(8)).toBe(8)
  const pauses: number[] = []
  for (let failures = 0; failures < 7; failures += 1) {
    await fail('upstream_timeout')
    pauses.push((gate.opensAt()?.getTime() ?? 0) - clock.ms)
    clock.ms = gate.opensAt()?.getTime() ?? 0
  }
  expect(pauses).toEqual([3000, 5000, 9000, 17_000, 33_000, 61_000, 61_000])
})

test('one record that always fails does not stop the others', async () => {
  const { gate, fail, succeed } = setUp()
  for (let round = 0; round < 10; round += 1) {
    await fail('upstream_unavailable')
    await succeed()
  }
  expect(gate.allowance(8)).toBe(8)
})

test('an answer to an earlier call does not open a gate that closed meanwhile', async () => {
  const { gate, fail } = setUp()
  let answer: (value: string) => void = () => {}
  const early = gate.call(() => new Promise<string>((resolve) => (answer = resolve)))
  await fail('upstream_rate_limited', 60_000)
  answer('good')
  await early
  expect(gate.allowance(8)).toBe(0)
})

test('an answer such as 404 proves that the service works', async () => {
  const { clock, gate, fail } = setUp()
  await fail('upstream_rate_limited', 1000)
  clock.ms += 1000
  await fail('upstream_not_found')
  expect(gate.allowance(8)).toBe(8)
})
