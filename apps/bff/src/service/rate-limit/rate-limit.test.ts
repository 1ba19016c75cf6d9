import { sql } from 'drizzle-orm'
import pino from 'pino'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import type { AdminApiOperation } from '#service/admin-api/admin-api.ts'
import { AdminApiError, type UpstreamCode } from '#ground/errors/app-error.ts'
import { testDatabase } from '#testing/database.ts'
import { planBudget } from './bucket.ts'
import { CallsPaused } from './circuit-breaker.ts'
import { type GrantedCall, createRateLimit } from './limiter.ts'
import { deleteOldCalls } from './call-report.ts'

const leaseMs = 40_000
const log = pino({ level: 'silent' })
const hourMs = 3_600_000
const good = () => Promise.resolve('good')
const failing = (code: UpstreamCode, retryAfterMs: number | null = null) => {
  const error = new AdminApiError(code, `It said ${code}.`, { effect: 'none', retryAfterMs })
  return () => Promise.reject(error)
}

const { db, drop } = await testDatabase()
afterAll(drop)
let services = 0

/** Two Dockets for a service nobody called before, with one clock that moves by hand. */
const dockets = ({ callsPerHour = 3600, hasReadKey = false } = {}) => {
  const clock = { ms: Date.parse('2026-05-01T10:00:00.000Z') }
  services += 1
  const connectionId = `service ${services}`
  const docket = () => {
    const limit = createRateLimit({
      db,
      connectionId,
      hasReadKey,
      callsPerHour,
      leaseMs,
      now: () => clock.ms,
      log,
      random: () => 1,
    })
    onTestFinished(limit.close)
    const limiter = limit.limiters.agent_jobs
    return {
      ...limit,
      limiter,
      click: (make: () => Promise<unknown> = good, operation?: AdminApiOperation) => limiter.call(make, operation),
      /** Takes leave for up to `wanted` polls, of which `use` are made. */
      polls: (wanted: number, use = wanted): Promise<GrantedCall[]> =>
        db.transaction(async (tx) => {
          const { allowed, take } = await limiter.polls(tx, wanted)
          const used = Math.min(allowed, use)
          if (used === 0) return []
          const granted = await take(used)
          return Array.from({ length: used }, () => granted)
        }),
    }
  }
  return { connectionId, clock, one: docket(), two: docket() }
}

test('concurrent polls and clicks of two Dockets together stay within the hourly budget', async () => {
  const { clock, one, two } = dockets({ callsPerHour: 100 })
  const calls: { at: number; count: number }[] = []
  let seed = 7
  const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647
  for (let step = 0; step < 220; step += 1) {
    clock.ms += Math.floor(random() * 40_000)
    const clicks = [one, two].map((docket) =>
      random() < 0.1
        ? docket.click().then(
            () => 1,
            () => 0,
          )
        : Promise.resolve(0),
    )
    const polls = [one.polls(8), two.polls(8)].map(async (granted) => (await granted).length)
    const results = await Promise.all([...clicks, ...polls])
    calls.push({ at: clock.ms, count: results.reduce((sum, count) => sum + count, 0) })
  }
  const busiest = calls.map(({ at }) =>
    calls.filter((call) => call.at >= at && call.at < at + hourMs).reduce((sum, { count }) => sum + count, 0),
  )
  expect(Math.max(...busiest)).toBeLessThanOrEqual(100)
  expect(Math.max(...busiest)).toBeGreaterThan(75)
})

test('unused tokens return to the budget, even if the transaction fails', async () => {
  const { one, two } = dockets({ callsPerHour: 3600 })
  const { capacity, reserve } = planBudget(3600)
  const most = capacity - reserve
  expect(await one.polls(most, 3)).toHaveLength(3)
  const failed = db.transaction(async (tx) => {
    await (await two.limiter.polls(tx, most)).take(most - 3)
    throw new Error('the claim failed')
  })
  await expect(failed).rejects.toThrow('the claim failed')
  expect(await two.polls(most)).toHaveLength(most - 3)
  expect(await one.polls(1)).toHaveLength(0)
  expect(one.limiter.opensAt()?.getTime()).toBeGreaterThan(0)
})

test('clicks use the reserve, and when it is spent the error names the budget', async () => {
  const { clock, one, two } = dockets({ callsPerHour: 100 })
  await one.polls(50)
  const { reserve } = planBudget(100)
  for (let click = 0; click < reserve; click += 1) await two.click()
  let results = 0
  const refused = one.click(() => Promise.resolve((results += 1)))
  await expect(refused).rejects.toMatchObject({
    code: 'too_many_requests',
    message: 'The budget of 100 calls per hour (ADMIN_API_CALLS_PER_HOUR) is used up. Try again in 38 seconds.',
    details: { retryAfterMs: 37_114 },
  })
  expect(results).toBe(0)
  expect((await one.report()).watching).toMatchObject({ polls: true, until: expect.any(String) as string })
  clock.ms += 37_115
  expect(await two.click()).toBe('good')
})

test('a 429 that one Docket gets pauses the polls and clicks of both until it ends', async () => {
  const { clock, one, two } = dockets()
  await expect(one.click(failing('upstream_rate_limited', 30_000))).rejects.toThrow()
  expect(await two.polls(8)).toEqual([])
  expect(two.limiter.opensAt()).toEqual(new Date(clock.ms + 30_000))
  await expect(two.click()).rejects.toBeInstanceOf(CallsPaused)
  expect((await two.report()).gates).toMatchObject([{ calls: 'agent_jobs', code: 'upstream_rate_limited' }])
  clock.ms += 30_000
  const [probe] = await two.polls(8)
  expect(await one.polls(8)).toEqual([])
  await probe!.call(good)
  expect(await one.polls(8)).toHaveLength(8)
})

test('a rejected key is tried once a minute across all Dockets', async () => {
  const { clock, one, two } = dockets()
  const [first] = await one.polls(1)
  await expect(first!.call(failing('upstream_key_rejected'))).rejects.toThrow()
  for (let minute = 0; minute < 3; minute += 1) {
    clock.ms += 59_999
    expect((await Promise.all([one.polls(8), two.polls(8)])).flat()).toHaveLength(0)
    clock.ms += 1
    const probes = (await Promise.all([one.polls(8), two.polls(8), one.polls(8), two.polls(8)])).flat()
    expect(probes).toHaveLength(1)
    await expect(probes[0]!.call(failing('upstream_key_rejected'))).rejects.toThrow()
  }
})

test('the probe of a killed Docket is replaced when its lease expires', async () => {
  const { clock, one, two } = dockets()
  const [first] = await one.polls(1)
  await expect(first!.call(failing('upstream_key_rejected'))).rejects.toThrow()
  clock.ms += 60_000
  expect(await one.polls(8)).toHaveLength(1)
  clock.ms += leaseMs - 1
  expect(await two.polls(8)).toHaveLength(0)
  clock.ms += 1
  const [probe] = await two.polls(8)
  await probe!.call(good)
  expect(await two.polls(8)).toHaveLength(8)
})

test('with a budget of 0 nothing is polled, and clicks are allowed and counted', async () => {
  const { one, two } = dockets({ callsPerHour: 0 })
  expect(await one.polls(8)).toEqual([])
  for (let click = 0; click < 30; click += 1) await one.click()
  await one.calls()
  expect((await two.report()).budget).toMatchObject({ callsPerHour: 0, spent: { polls: 0, clicks: 30 }, left: 0 })
  expect((await two.report()).watching.polls).toBe(false)
})

test('starts and bundles use the budget of the main key, reads that of the read key, and a 429 of either pauses its call class', async () => {
  const { one, two } = dockets({ callsPerHour: 100, hasReadKey: true })
  const starts = one.limiters.static_exports
  await two.limiters.static_exports.call(good)
  for (let place = 0; place < planBudget(100).capacity; place += 1) await starts.call(good, 'startStaticExport')
  await expect(starts.call(good, 'generateBundle')).rejects.toMatchObject({ code: 'too_many_requests' })
  expect(await starts.call(good)).toBe('good')
})

test('the pause of the key that writes can be ended although reads use another key', async () => {
  const { one, two } = dockets({ hasReadKey: true })
  const { static_exports: exports, agent_prompts: prompts } = one.limiters
  await exports.call(failing('upstream_rate_limited', 60_000), 'startStaticExport').catch(() => {})
  await prompts.call(failing('upstream_rate_limited', 60_000), 'createAgentJob').catch(() => {})
  await expect(exports.call(good, 'startStaticExport')).rejects.toBeInstanceOf(CallsPaused)
  expect(await db.transaction(two.resume)).toEqual(['static_exports', 'agent_prompts'])
  expect(await exports.call(good, 'startStaticExport')).toBe('good')
  expect(await prompts.call(good, 'createAgentJob')).toBe('good')
  expect(await db.transaction(one.resume)).toEqual([])
})

test('a start that gets a 429 pauses reads of exports, and a start refused by the plan does not', async () => {
  const { one, two } = dockets()
  const start = (make: () => Promise<unknown>) => one.limiters.static_exports.call(make, 'startStaticExport')
  await expect(start(failing('upstream_forbidden'))).rejects.toThrow()
  expect(await two.limiters.static_exports.call(good)).toBe('good')
  await expect(start(failing('upstream_rate_limited', 60_000))).rejects.toThrow()
  await expect(two.limiters.static_exports.call(good)).rejects.toBeInstanceOf(CallsPaused)
  expect(await two.click()).toBe('good')
})

test('two Dockets share the state of the service, its last answers and the counts of calls', async () => {
  const { clock, one, two } = dockets()
  expect((await two.report()).connection.state).toBe('unknown')
  await one.click()
  clock.ms += 1000
  await one.click(failing('upstream_unexpected')).catch(() => {})
  await one.calls()
  expect((await two.report()).connection).toEqual({
    state: 'unexpected',
    message: 'It said upstream_unexpected.',
    since: new Date(clock.ms).toISOString(),
    lastOkAt: new Date(clock.ms - 1000).toISOString(),
  })
  const { operations, hours } = await two.calls()
  expect(operations).toEqual([
    {
      operation: 'getAgentJob',
      lastAt: new Date(clock.ms).toISOString(),
      lastOkAt: new Date(clock.ms - 1000).toISOString(),
      failure: { code: 'upstream_unexpected', message: 'It said upstream_unexpected.' },
      lastMs: expect.any(Number) as number,
    },
  ])
  expect(hours).toEqual([{ hour: '2026-05-01T10:00:00Z', polls: 0, clicks: 2, rateLimited: 0, failed: 1 }])
})

test('counts older than a day are deleted', async () => {
  const { connectionId, clock, one } = dockets()
  await one.click()
  await one.calls()
  const countRows = async () =>
    (await db.execute(sql`select 1 from call_minutes where origin = ${connectionId}`)).rows.length
  await deleteOldCalls(db, clock.ms + 24 * hourMs)
  expect(await countRows()).toBe(1)
  await deleteOldCalls(db, clock.ms + 26 * hourMs)
  expect(await countRows()).toBe(0)
})

test('calls that end while the database is unavailable are counted later, and no caller waits for that', async () => {
  const { one, two } = dockets()
  await one.click()
  await db.execute(sql`alter table call_minutes rename to call_minutes_away`)
  await expect(one.report()).rejects.toThrow()
  await db.execute(sql`alter table call_minutes_away rename to call_minutes`)
  await one.report()
  expect((await two.report()).budget.spent).toEqual({ polls: 0, clicks: 1 })
})
