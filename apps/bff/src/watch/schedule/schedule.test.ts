import { expect, test } from 'vitest'
import { bucketOf, perBucket, type RecordKind } from './ages.ts'
import { nothing, type Load } from './policy.ts'
import { planned, schedule, type Due } from './schedule.ts'

const minute = 60_000
const hour = 60 * minute
const middle = () => 0.5

/** So many changing agent jobs of each age (milliseconds). */
const jobsOf = (counts: Record<number, number>, viewed: Record<number, number> = {}): Load => {
  const spread = (of: Record<number, number>) =>
    perBucket((bucket) => {
      const here = Object.entries(of).filter(([ageMs]) => bucketOf(Number(ageMs)) === bucket)
      return here.reduce((sum, [, count]) => sum + count, 0)
    })
  return { static_exports: nothing, agent_jobs: { changing: spread(counts), viewed: spread(viewed) } }
}

const planOf = async (load: Load, more: Partial<Parameters<typeof schedule>[0]> = {}) => {
  const clock = { ms: 1_000_000_000 }
  const reads = { load: 0, endings: 0 }
  const plan = schedule({
    callsPerHour: 3600,
    embedded: false,
    now: () => clock.ms,
    random: middle,
    watched: {
      load: async () => {
        reads.load += 1
        return load
      },
      endings: async () => {
        reads.endings += 1
        return { static_exports: [], agent_jobs: [] }
      },
    },
    ...more,
  })
  await plan.refresh()
  const waitMs = (ageMs: number, due: Partial<Due> = {}) => {
    const nowMs = clock.ms
    const since = new Date(nowMs - ageMs)
    return plan.nextRead({ kind: 'agent_jobs', nowMs, since, viewed: false, ...due }).getTime() - nowMs
  }
  return { plan, clock, reads, waitMs }
}

test('a record that is alone gets the whole budget at every age, and is never read more often than once a second', async () => {
  const callMs = hour / 97 / planned
  for (const ageMs of [0, minute, 10 * minute, 5 * hour, 40 * hour]) {
    const { waitMs } = await planOf(jobsOf({ [ageMs]: 1 }), { callsPerHour: 100 })
    expect(Math.abs(waitMs(ageMs) - callMs)).toBeLessThan(2)
  }
  expect((await planOf(jobsOf({ [minute]: 1 }), { callsPerHour: 100_000 })).waitMs(minute)).toBe(1000)
  const embedded = await planOf(jobsOf({ [minute]: 1 }), { callsPerHour: 100_000, embedded: true })
  expect(embedded.waitMs(minute)).toBe(250)
})

test.each([1, 10, 1000])('the intervals of %d times as many records spend the same budget together', async (scale) => {
  // Each just entered its age bucket and is read before it leaves it.
  const counts = { 181_100: 3 * scale, 1_448_200: 4 * scale, 23_170_500: 2 * scale, 60_000_000: scale }
  const callsPerHour = 3600 * scale
  const { waitMs } = await planOf(jobsOf(counts), { callsPerHour, embedded: true })
  const perHour = Object.entries(counts).reduce((sum, [age, count]) => sum + (count * hour) / waitMs(Number(age)), 0)
  expect(perHour / callsPerHour / planned).toBeGreaterThan(0.96)
  expect(perHour / callsPerHour / planned).toBeLessThanOrEqual(1)
})

test('a fresh installation reads young records more often than old ones', async () => {
  const { waitMs } = await planOf(jobsOf({ 30_000: 10, [5 * minute]: 10, [30 * minute]: 10, [5 * hour]: 10 }))
  const waits = [30_000, 5 * minute, 30 * minute, 5 * hour].map((age) => waitMs(age))
  expect(waits).toEqual(waits.toSorted((a, b) => a - b))
  expect(waits[3]! / waits[0]!).toBeGreaterThan(8)
})

test('a record on somebody’s screen is read several times as often', async () => {
  const { waitMs } = await planOf(jobsOf({ [hour]: 200 }, { [hour]: 1 }))
  expect(waitMs(hour) / waitMs(hour, { viewed: true })).toBeGreaterThan(3.8)
})

test('failures push the next read back at random, to five minutes, and Retry-After is never undercut', async () => {
  const { waitMs } = await planOf(jobsOf({ [minute]: 1 }), { random: () => 1 })
  const usual = waitMs(minute)
  expect([1, 2, 3].map((failures) => Math.round((waitMs(minute, { failures }) - usual) / usual))).toEqual([2, 4, 8])
  expect(waitMs(minute, { failures: 1000 }) - usual).toBe(5 * minute)
  expect(waitMs(minute, { retryAfterMs: 30_000 })).toBe(30_000)
  expect(waitMs(minute, { retryAfterMs: 10 })).toBe(usual)
})

test('a record that seems to come from the future counts as new', async () => {
  const { waitMs } = await planOf(jobsOf({ 0: 100, [hour]: 100 }))
  expect(waitMs(-5 * hour)).toBe(waitMs(0))
})

test('with no budget a record still has a time, so that it is due when polling is allowed again', async () => {
  const { waitMs } = await planOf(jobsOf({ [minute]: 1 }), { callsPerHour: 0 })
  expect(waitMs(minute)).toBeGreaterThanOrEqual(1000)
})

test('a settled record is read five more times within a day and then never', async () => {
  const { plan } = await planOf(jobsOf({ [minute]: 1 }))
  const settledAt = new Date(0)
  const reads: number[] = []
  const next = (nowMs: number) => plan.nextSettledRead({ kind: 'agent_jobs', nowMs, settledAt })
  for (let at = next(0); at !== null; at = next(at.getTime())) reads.push(at.getTime() / minute)
  expect(reads).toEqual([1, 10, 60, 360, 1440])
})

test('where thousands settle, looking at them again takes a small part of the budget', async () => {
  let turn = 0
  const { plan } = await planOf(jobsOf({ [minute]: 20_000 }), { random: () => (turn += 0.618) % 1 })
  let calls = 0
  for (let record = 0; record < 1000; record += 1)
    for (let at: Date | null = new Date(0); at !== null; calls += 1)
      at = plan.nextSettledRead({ kind: 'agent_jobs', nowMs: at.getTime(), settledAt: new Date(0) })
  expect((calls - 1000) / 1000).toBeLessThan(0.05)
})

test('the load is read at most once a second, less often when it is large, and what was learnt once a minute', async () => {
  const few = await planOf(jobsOf({ [minute]: 10 }))
  await Promise.all([few.plan.refresh(), few.plan.refresh()])
  few.clock.ms += 999
  await few.plan.refresh()
  expect(few.reads).toEqual({ load: 1, endings: 1 })
  few.clock.ms += 1
  await Promise.all([few.plan.refresh(), few.plan.refresh()])
  expect(few.reads).toEqual({ load: 2, endings: 1 })
  few.clock.ms -= hour
  await few.plan.refresh()
  expect(few.reads).toEqual({ load: 3, endings: 2 })
  const many = await planOf(jobsOf({ [minute]: 10_000 }))
  many.clock.ms += 9999
  await many.plan.refresh()
  expect(many.reads.load).toBe(1)
})

test('the kinds share one budget by how soon their records end', async () => {
  const load = (kind: RecordKind): Load => ({ ...jobsOf({}), [kind]: jobsOf({ [minute]: 50 }).agent_jobs })
  const both = { static_exports: load('agent_jobs').agent_jobs, agent_jobs: load('agent_jobs').agent_jobs }
  const one = await planOf(load('agent_jobs'))
  const two = await planOf(both)
  expect(two.waitMs(minute) / one.waitMs(minute)).toBeGreaterThan(1.8)
})
