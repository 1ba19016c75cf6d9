import { expect, test } from 'vitest'
import type { Demand } from '#service/polling/demand.ts'
import { schedule, type Due } from './schedule.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute

const planFor = async (demand: Partial<Demand> = {}, more: Partial<Parameters<typeof schedule>[0]> = {}) => {
  const clock = { ms: 1_000_000_000 }
  let reads = 0
  const plan = schedule({
    callsPerHour: 3600,
    floorMs: 2 * second,
    now: () => clock.ms,
    random: () => 0.5,
    demand: () => {
      reads += 1
      return Promise.resolve({ callsPerMs: 0, records: 0, ...demand })
    },
    ...more,
  })
  await plan.refresh()
  const waitMs = (ageMs: number, due: Partial<Due> = {}) => {
    const nowMs = clock.ms
    return plan.nextRead({ nowMs, since: new Date(nowMs - ageMs), viewed: false, ...due }).getTime() - nowMs
  }
  return { plan, clock, waitMs, reads: () => reads }
}

test('the interval is 2 % of the age, between the minimum and five minutes', async () => {
  const { waitMs } = await planFor()
  expect([0, 50 * second, 10 * minute, 5 * hour, 40 * hour].map((ageMs) => waitMs(ageMs))).toEqual([
    2 * second,
    2 * second,
    12 * second,
    5 * minute,
    5 * minute,
  ])
})

test('a record on screen is read every two seconds for an hour', async () => {
  const { waitMs } = await planFor()
  expect(waitMs(59 * minute, { viewed: true })).toBe(2 * second)
  expect(waitMs(5 * hour, { viewed: true })).toBe(5 * minute)
})

test('the budget stretches all intervals by one factor, and only if it does not suffice', async () => {
  const plain = await planFor({ callsPerMs: 1 / second / 2 })
  expect(plain.waitMs(minute)).toBe(2 * second)
  const tight = await planFor({ callsPerMs: 10 / second })
  const { waitMs, plan } = tight
  expect(plan.stretch()).toBeGreaterThan(10)
  expect(waitMs(10 * minute) / waitMs(minute)).toBeCloseTo(6, 3)
  expect(waitMs(minute)).toBeCloseTo(2 * second * plan.stretch(), -1)
})

test('failures delay the next read at random, up to five minutes, and never below Retry-After', async () => {
  const { waitMs } = await planFor({}, { random: () => 1 })
  const usual = waitMs(minute)
  const backOff = (failures: number) => waitMs(minute, { failures }) - usual
  expect([1, 2, 3].map(backOff)).toEqual([4 * second, 8 * second, 16 * second])
  expect(backOff(1000)).toBe(5 * minute)
  expect(waitMs(minute, { retryAfterMs: 30 * second })).toBe(30 * second)
  expect(waitMs(minute, { retryAfterMs: 10 })).toBe(usual)
})

test('a record with an unconfirmed absence is read within ten seconds, unless the budget stretches that too', async () => {
  const { waitMs } = await planFor()
  expect(waitMs(5 * hour, { unsure: true })).toBe(10 * second)
  expect(waitMs(minute, { unsure: true })).toBe(2 * second)
  const tight = await planFor({ callsPerMs: 10 / second })
  expect(tight.waitMs(5 * hour, { unsure: true })).toBeCloseTo(10 * second * tight.plan.stretch(), -1)
})

test('a failed read of a settled record is repeated after 10 s, then ever more slowly, up to six hours', async () => {
  const { plan } = await planFor()
  const retry = (failures: number, retryAfterMs = 0) => plan.nextRetry({ nowMs: 0, failures, retryAfterMs }).getTime()
  expect([1, 2, 3, 100].map((failures) => retry(failures))).toEqual([10, 20, 40, 6 * 3600].map((s) => s * second))
  expect(retry(1, minute)).toBe(minute)
})

test('a record with a start in the future counts as new', async () => {
  const { waitMs } = await planFor()
  expect(waitMs(-5 * hour)).toBe(waitMs(0))
})

test('with a budget of 0 a record still has a read time, so it is due once polling is allowed again', async () => {
  const { waitMs } = await planFor({ callsPerMs: 1 }, { callsPerHour: 0 })
  expect(waitMs(minute)).toBeGreaterThanOrEqual(2 * second)
})

test('a settled record is read five more times within a day, and once while the budget is tight', async () => {
  const readsAfter = async (demand: Partial<Demand>) => {
    const { plan } = await planFor(demand)
    const settledAt = new Date(0)
    const minutes: number[] = []
    const next = (nowMs: number) => plan.nextSettledRead({ nowMs, settledAt })
    for (let at = next(0); at !== null; at = next(at.getTime())) minutes.push(at.getTime() / minute)
    return minutes
  }
  expect(await readsAfter({})).toEqual([1, 10, 60, 360, 1440])
  expect(await readsAfter({ callsPerMs: 10 / second })).toEqual([1440])
})

test('the demand is read at most once a second, less often with many changing records, and again after the clock was set back', async () => {
  const few = await planFor({ records: 10 })
  await Promise.all([few.plan.refresh(), few.plan.refresh()])
  few.clock.ms += 999
  await few.plan.refresh()
  expect(few.reads()).toBe(1)
  few.clock.ms += 1
  await Promise.all([few.plan.refresh(), few.plan.refresh()])
  expect(few.reads()).toBe(2)
  few.clock.ms -= hour
  await few.plan.refresh()
  expect(few.reads()).toBe(3)
  const many = await planFor({ records: 10_000 })
  many.clock.ms += 9999
  await many.plan.refresh()
  expect(many.reads()).toBe(1)
})
