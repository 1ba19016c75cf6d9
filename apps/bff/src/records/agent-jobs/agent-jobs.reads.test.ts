import { History } from '@docket/api-types/history'
import { expect, test } from 'vitest'
import { agentJobsApp, key, toPath } from '#records/agent-jobs/testing/agent-jobs-app.ts'
import { completedJob, wireJob } from '#records/agent-jobs/testing/stand-in.ts'

const minute = 60_000
const link = 'https://github.com/acme/docs/pull/12'
const missing = { status: 404, body: { error: 'Job not found' } }

type App = Awaited<ReturnType<typeof agentJobsApp>>

const listKinds = async ({ get }: App) =>
  History.parse(await (await get(toPath(key, '/history'))).json()).events.map(({ kind }) => kind)

test('a single 404 for a working job only adds a remark, and the job is read again within seconds', async () => {
  const app = await agentJobsApp()
  const { upstream, clock, follow, nextCheck } = app
  upstream.has(wireJob())
  await follow(key)
  clock.ms += 40 * minute
  await nextCheck()
  upstream.answers(missing)
  const stray = await nextCheck()
  expect(stray).toMatchObject({ meaning: 'working', goneAt: null, checkFailure: { code: 'upstream_not_found' } })
  expect(Date.parse(stray.nextCheckAt!) - clock.ms).toBeLessThanOrEqual(10_500)
  upstream.has(wireJob())
  expect(await nextCheck()).toMatchObject({ meaning: 'working', checkFailure: null })
  expect(await listKinds(app)).not.toContain('gone')
})

test('a new job that reads do not find yet is not marked as missing for ten minutes', async () => {
  const app = await agentJobsApp()
  const { upstream, create, read } = app
  upstream.onPost(() => ({ status: 201, body: wireJob() }))
  await create()
  expect((await app.checkUntil(9 * minute)).checkFailure?.message).toMatch(/^The service doesn’t find it yet\./)
  expect((await read()).goneAt).toBeNull()
  expect((await app.checkUntil(2 * minute)).meaning).toBe('gone')
})

test('a pull request that appears 80 s or 50 minutes after completion is shown promptly and announced once', async () => {
  for (const [waitMs, withinMs] of [
    [80_000, 3_000],
    [50 * minute, 66_000],
  ] as const) {
    const app = await agentJobsApp()
    const { upstream, clock, follow, nextCheck } = app
    upstream.has(wireJob())
    await follow(key)
    upstream.has(completedJob())
    expect((await nextCheck()).meaning).toBe('finishing')
    clock.ms += waitMs
    expect((await nextCheck()).meaning).toBe('finishing')
    upstream.has(completedJob({ prLink: link }))
    expect(await app.checkUntil(withinMs)).toMatchObject({ meaning: 'pull_request_ready' })
    const kinds = await listKinds(app)
    expect(kinds.filter((kind) => kind === 'pull_request_reported')).toHaveLength(1)
    expect(kinds).not.toContain('no_pull_request')
  }
})

test('a job that waits for its pull request is read at the shortest interval while it is on a screen', async () => {
  const app = await agentJobsApp()
  const { upstream, follow, nextCheck, clock, list, whole } = app
  upstream.has(wireJob())
  await follow(key)
  upstream.has(completedJob())
  await nextCheck()
  clock.ms += 30 * minute
  await nextCheck()
  await list()
  await whole.services.viewers.flush()
  upstream.has(completedJob({ prLink: link }))
  const beforeMs = clock.ms
  expect((await nextCheck()).meaning).toBe('pull_request_ready')
  expect(clock.ms - beforeMs).toBeLessThanOrEqual(2_200)
})

test('a job without a pull request for an hour ends once, and a later pull request is still noticed', async () => {
  const app = await agentJobsApp()
  const { upstream, clock, follow, nextCheck } = app
  upstream.has(wireJob())
  await follow(key)
  upstream.has(completedJob())
  await nextCheck()
  clock.ms += 58 * minute
  expect((await nextCheck()).meaning).toBe('finishing')
  expect((await app.checkUntil(3 * minute)).meaning).toBe('no_pull_request')
  upstream.has(completedJob({ prLink: link }))
  expect((await nextCheck()).meaning).toBe('pull_request_ready')
  const kinds = await listKinds(app)
  expect(kinds.filter((kind) => kind === 'no_pull_request' || kind === 'pull_request_reported')).toEqual([
    'no_pull_request',
    'pull_request_reported',
  ])
})

test('a failed Check now of a long-finished job schedules another read, which clears the failure', async () => {
  const { upstream, clock, follow, nextCheck, post, read } = await agentJobsApp()
  upstream.has(wireJob({ status: 'failed' }))
  await follow(key)
  for (let job = await read(); job.nextCheckAt !== null; job = await nextCheck());
  clock.ms += 60 * minute
  upstream.answers({ status: 500 })
  await post(toPath(key, '/check'))
  const failed = await read()
  expect(failed.checkFailure?.code).toBe('upstream_unavailable')
  expect(failed.nextCheckAt).not.toBeNull()
  upstream.has(wireJob({ status: 'failed' }))
  expect(await nextCheck()).toMatchObject({ meaning: 'failed', checkFailure: null, nextCheckAt: null })
})

test('the duration of a job that was first seen completed is unknown', async () => {
  const app = await agentJobsApp()
  app.upstream.has({ status: 'completed' })
  await app.follow(key)
  expect(await app.read()).toMatchObject({ wasSeenRunning: false })
  const other = { ...key, id: 'job_2' }
  app.upstream.has({ status: 'active' }, other)
  await app.follow(other)
  app.upstream.has({ status: 'completed' }, other)
  expect(await app.nextCheck(other)).toMatchObject({ status: 'completed', wasSeenRunning: true })
})

test('the instants of a job stay when two replicas correct the clock of its service by a minute more or less', async () => {
  const app = await agentJobsApp()
  const { upstream, follow, nextCheck } = app
  const begun = (second: string) => wireJob({ createdAt: `2026-05-01T09:00:${second}.000Z`, startedAt: null })
  const corrected = { ...begun('00'), createdAt: '2026-05-01T09:01:00.000Z' }
  upstream.has(begun('00'))
  await follow(key)
  const { createdAt } = await nextCheck()
  upstream.has(corrected)
  expect((await nextCheck()).createdAt).toBe(createdAt)
  upstream.has(begun('07'))
  expect((await nextCheck()).createdAt).toBe('2026-05-01T09:00:07.000Z')
})
