import { randomUUID } from 'node:crypto'
import { AgentJob, FollowAgentJobsResult } from '@docket/api-types/agent-jobs'
import { ApiErrorBody } from '@docket/api-types/api-error'
import { ConnectionReport } from '@docket/api-types/connection'
import { Status } from '@docket/api-types/status'
import { sql } from 'drizzle-orm'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { agentJobStandIn, wireJob } from '#records/agent-jobs/testing/stand-in.ts'
import { testDatabase } from '#testing/database.ts'
import { testApp } from '#testing/test-app.ts'
import { planBudget } from './bucket.ts'

const database = await testDatabase()
afterAll(database.drop)

/** Two Dockets on one database against a service that counts, with a clock that moves by hand. */
const dockets = async (callsPerHour?: number) => {
  await database.db.execute(
    sql`truncate agent_jobs, pull_request_reads, static_exports, call_answers, call_budgets, call_gates, call_minutes, connection_states`,
  )
  const upstream = await agentJobStandIn()
  const clock = { ms: Date.parse('2026-05-01T10:00:00.000Z') }
  const docket = async () => {
    const app = await testApp({
      database,
      upstream: { url: upstream.url, key: 'test_key' },
      now: () => clock.ms,
      ...(callsPerHour === undefined ? {} : { callsPerHour }),
    })
    onTestFinished(app.close)
    const { watcher } = app.services.records.connections.all()[0]!.jobs
    return {
      ...app,
      report: async () => ConnectionReport.parse(await (await app.get('/api/connection')).json()),
      status: async () => Status.parse(await (await app.get('/api/status')).json()),
      follow: async (...ids: string[]) => {
        for (const id of ids) upstream.has(wireJob(), { id })
        const jobs = ids.map((id) => ({ projectId: 'docs', id }))
        return FollowAgentJobsResult.parse(await (await app.post('/api/agent-jobs', { jobs })).json()).results
      },
      check: (id: string) => app.post(`/api/agent-jobs/docs/${id}/check`),
      pass: async () => {
        watcher.start()
        await watcher.stop()
      },
    }
  }
  const [one, two] = await Promise.all([docket(), docket()])
  onTestFinished(upstream.close)
  return { upstream, clock, one, two }
}
const many = (count: number) => Array.from({ length: count }, (_, place) => `job_${place}`)
const allDue = (ms: number) =>
  database.db.execute(sql`update agent_jobs set next_check_at = ${new Date(ms).toISOString()}`)

test('two Dockets share the work and the budget: every record is read once, within the budget', async () => {
  const { upstream, clock, one, two } = await dockets(3600)
  await one.follow(...many(30))
  clock.ms += 60_000
  await allDue(clock.ms - 1)
  const followed = upstream.calls.length
  for (let round = 0; round < 10; round += 1) await Promise.all([one.pass(), two.pass()])
  const polled = upstream.calls.slice(followed)
  const { capacity, reserve } = planBudget(3600)
  expect(polled.length).toBe(Math.min(30, capacity - reserve))
  expect(new Set(polled).size).toBe(polled.length)
  clock.ms += 20_000
  for (let round = 0; round < 10; round += 1) await Promise.all([one.pass(), two.pass()])
  expect(new Set(upstream.calls.slice(followed))).toHaveProperty('size', 30)
})

test('records on a screen are read first when the budget is short', async () => {
  const { upstream, clock, one } = await dockets(100)
  await one.follow('job_0', 'job_1')
  clock.ms += 600_000
  await allDue(clock.ms - 10_000)
  const expected = { next: new Date(clock.ms - 1).toISOString(), until: new Date(clock.ms + 30_000).toISOString() }
  await database.db.execute(
    sql`update agent_jobs set next_check_at = ${expected.next}, viewed_until = ${expected.until} where id = 'job_1'`,
  )
  await one.pass()
  expect(upstream.calls.slice(2)).toEqual(['/v2/agent/docs/job/job_1'])
})

test('a click beyond the budget returns a 429 that names the budget, before anything is written or sent', async () => {
  const { upstream, clock, one, two } = await dockets(100)
  const { capacity } = planBudget(100)
  const results = await one.follow(...many(capacity + 1))
  expect(results.filter(({ job }) => job !== null)).toHaveLength(capacity)
  expect(results.find(({ job }) => job === null)?.failure).toMatchObject({
    code: 'too_many_requests',
    message: expect.stringMatching(/budget of 100 calls per hour \(ADMIN_API_CALLS_PER_HOUR\)/) as string,
  })
  const key = results.find(({ job }) => job !== null)!.key
  const start = { requestId: randomUUID(), domain: 'docs.example.com' }
  for (const refused of [await two.check(key.id), await two.post('/api/static-exports', start)]) {
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(30)
    expect(ApiErrorBody.parse(await refused.json())).toMatchObject({ code: 'too_many_requests' })
  }
  expect(upstream.calls).toHaveLength(capacity)
  const { rows } = await database.db.execute(sql`select 1 from static_exports`)
  expect(rows).toEqual([])
  clock.ms += 60_000
  expect(AgentJob.parse(await (await two.check(key.id)).json()).checkedAt).toBe(new Date(clock.ms).toISOString())
})

test('the report counts the calls of all Dockets and lists the next reads', async () => {
  const { clock, one, two } = await dockets(3600)
  await one.follow('job_0')
  await two.follow('job_1')
  await two.report()
  const report = await one.report()
  expect(report).toMatchObject({
    budget: { callsPerHour: 3600, spent: { polls: 0, clicks: 2 }, left: 3598, reserve: 60, nextPollAt: null },
    gates: [],
    operations: [{ operation: 'getAgentJob', failure: null, lastOkAt: new Date(clock.ms).toISOString() }],
    late: { count: 0, byMs: 0, why: null },
  })
  expect(report.nextChecks.map(({ title, key }) => [title, key.type])).toEqual([
    ['Agent job of acme/docs', 'agent_job'],
    ['Agent job of acme/docs', 'agent_job'],
  ])
})

test('late reads show their reason: a pause of the service, a spent budget, or no polling', async () => {
  const { upstream, clock, one, two } = await dockets(100)
  await one.follow('job_0', 'job_1')
  upstream.always({ status: 429, headers: { 'retry-after': '600' }, body: { error: 'Slow down' } })
  await one.check('job_0')
  clock.ms += 300_000
  await allDue(clock.ms - 60_000)
  const report = await two.report()
  expect(report.late).toMatchObject({ count: 2, byMs: 60_000, why: report.gates[0]?.message })
  expect(report.gates).toMatchObject([{ calls: 'agent_jobs', code: 'upstream_rate_limited' }])
  expect((await two.status()).watching).toMatchObject({ polls: true, until: report.gates[0]?.until })
  upstream.always(null)
  clock.ms += 300_000
  await one.pass()
  const short = await two.report()
  expect(short.late.count).toBe(1)
  expect(short.late.why).toMatch(/budget of 100 calls per hour \(ADMIN_API_CALLS_PER_HOUR\)/)
})

test('a pause of exports is not given as the reason for a late job', async () => {
  const { upstream, clock, one, two } = await dockets()
  await one.follow('job_0')
  upstream.always({ status: 429, headers: { 'retry-after': '600' }, body: { error: 'Slow down' } })
  await one.post('/api/static-exports', { requestId: randomUUID(), domain: 'docs.example.com' })
  upstream.always(null)
  await one.check('job_0')
  clock.ms += 60_000
  await allDue(clock.ms - 30_000)
  await one.report()
  const report = await two.report()
  expect(report.gates.map(({ calls }) => calls)).toEqual(['static_exports'])
  expect(report.late).toEqual({ count: 1, byMs: 30_000, why: null })
})

test('with ADMIN_API_CALLS_PER_HOUR 0 nothing is polled, and Check now works', async () => {
  const { upstream, clock, one } = await dockets(0)
  await one.follow('job_0')
  clock.ms += 600_000
  await allDue(clock.ms - 60_000)
  await one.pass()
  expect(upstream.calls).toHaveLength(1)
  expect((await one.report()).late).toMatchObject({
    count: 1,
    why: expect.stringMatching(/ADMIN_API_CALLS_PER_HOUR is 0/) as string,
  })
  expect((await one.status()).watching.polls).toBe(false)
  expect((await one.check('job_0')).status).toBe(200)
})

test('a Docket without any calls reports the connection state that another Docket stored', async () => {
  const { clock, one, two } = await dockets()
  expect((await two.status()).connection.state).toBe('unknown')
  await one.follow('job_0')
  await one.status()
  expect((await two.status()).connection).toMatchObject({ state: 'ok', lastOkAt: new Date(clock.ms).toISOString() })
})
