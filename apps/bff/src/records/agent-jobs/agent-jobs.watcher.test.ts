import { History } from '@docket/api-types/history'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { agentJobs } from '#records/agent-jobs/agent-jobs.table.ts'
import { agentJobsApp, key, toPath } from '#records/agent-jobs/testing/agent-jobs-app.ts'
import { completedJob, wireJob } from '#records/agent-jobs/testing/stand-in.ts'
import { callTimeoutMs } from '#testing/test-app.ts'

const minute = 60_000
const link = 'https://github.com/acme/docs/pull/12'

test('an active job is read until it has a pull request', async () => {
  const { upstream, clock, follow, nextCheck, pass } = await agentJobsApp()
  upstream.has(wireJob())
  await follow(key)
  await pass()
  expect(upstream.calls).toHaveLength(1)
  expect((await nextCheck()).meaning).toBe('working')
  upstream.has(completedJob({ prLink: link }))
  expect(await nextCheck()).toMatchObject({
    meaning: 'pull_request_ready',
    prLink: { label: 'acme/docs#12' },
    finishedAt: new Date(clock.ms).toISOString(),
  })
  expect(upstream.calls).toHaveLength(3)
})

test('a completed job without a pull-request link counts as finishing for an hour, is polled until then, and ends exactly once', async () => {
  const { get, upstream, clock, follow, nextCheck, read } = await agentJobsApp()
  upstream.has(completedJob())
  await follow(key)
  const finishedMs = clock.ms
  expect((await read()).meaning).toBe('finishing')
  clock.ms += 58 * minute
  let job = await nextCheck()
  expect(job.meaning).toBe('finishing')
  for (; job.meaning === 'finishing'; job = await nextCheck())
    expect(Date.parse(job.nextCheckAt ?? '')).toBeLessThanOrEqual(finishedMs + 60 * minute)
  expect(clock.ms).toBe(finishedMs + 60 * minute)
  expect(job.meaning).toBe('no_pull_request')
  upstream.has(completedJob({ prLink: link }))
  expect((await nextCheck()).meaning).toBe('pull_request_ready')
  const { events } = History.parse(await (await get(toPath(key, '/history'))).json())
  expect(events.map(({ kind }) => kind)).toEqual(['followed', 'no_pull_request', 'pull_request_reported'])
})

test('a finished job is read five more times within a day and then never', async () => {
  const { upstream, clock, follow, nextCheck, pass, read } = await agentJobsApp()
  upstream.has(wireJob({ status: 'failed' }))
  await follow(key)
  const start = clock.ms
  const reads: number[] = []
  while ((await read()).nextCheckAt !== null) {
    await nextCheck()
    reads.push((clock.ms - start) / minute)
  }
  expect(reads).toEqual([1, 10, 60, 360, 1440])
  const before = upstream.calls.length
  clock.ms += 100 * 1440 * minute
  await pass()
  expect(upstream.calls).toHaveLength(before)
})

test('no calls are made if no job is followed or due', async () => {
  const { upstream, pass, follow, clock } = await agentJobsApp()
  await pass()
  upstream.has(wireJob())
  await follow(key)
  clock.ms += 500
  await pass()
  expect(upstream.calls).toHaveLength(1)
})

test('a finished job may become active again, and be archived', async () => {
  const { upstream, follow, nextCheck } = await agentJobsApp()
  upstream.has(completedJob({ prLink: link }))
  await follow(key)
  upstream.has(wireJob({ prLink: link }))
  expect(await nextCheck()).toMatchObject({ meaning: 'working', finishedAt: null })
  upstream.has(wireJob({ status: 'archived', archivedAt: '2026-05-01T10:03:00Z' }))
  expect(await nextCheck()).toMatchObject({ meaning: 'archived', archivedAt: '2026-05-01T10:03:00.000Z' })
})

test('a status outside the contract is shown unchanged, and polling continues', async () => {
  const { upstream, clock, follow, nextCheck, list } = await agentJobsApp()
  upstream.has(wireJob({ status: 'succeeded' }))
  await follow(key)
  clock.ms += 48 * 60 * minute
  const job = await nextCheck()
  expect(job).toMatchObject({ status: 'succeeded', meaning: 'unrecognised', finishedAt: null })
  expect(job.nextCheckAt).not.toBeNull()
  expect((await list()).counts.active).toBe(1)
})

test('a known job that returns 404 for half a minute keeps its data, is marked as gone, and is read less and less often', async () => {
  const { upstream, clock, follow, nextCheck, read, list } = await agentJobsApp()
  upstream.has(wireJob())
  await follow(key)
  upstream.answers({ status: 404, body: { error: 'Job not found' } })
  let gone = await nextCheck()
  while (gone.meaning === 'working') gone = await nextCheck()
  expect(gone).toMatchObject({
    meaning: 'gone',
    status: 'active',
    model: 'sonnet-1',
    goneAt: new Date(clock.ms).toISOString(),
    checkFailure: { code: 'upstream_not_found' },
  })
  expect((await list()).counts).toMatchObject({ all: 1, active: 0 })
  let probes = 0
  for (let job = gone; job.nextCheckAt !== null; job = await nextCheck()) probes += 1
  expect(probes).toBe(5)
  expect((await read()).goneAt).toBe(gone.goneAt)
})

test('a 410 marks a job as gone at once', async () => {
  const { upstream, follow, nextCheck } = await agentJobsApp()
  upstream.has(wireJob())
  await follow(key)
  upstream.answers({ status: 410, body: { error: 'Gone' } })
  expect(await nextCheck()).toMatchObject({ meaning: 'gone', checkFailure: { code: 'upstream_not_found' } })
})

test('a successful read clears the “gone” mark', async () => {
  const { upstream, follow, nextCheck } = await agentJobsApp()
  upstream.has(wireJob())
  await follow(key)
  upstream.answers({ status: 410 })
  expect((await nextCheck()).meaning).toBe('gone')
  upstream.has(wireJob())
  expect(await nextCheck()).toMatchObject({ meaning: 'working', goneAt: null, checkFailure: null })
})

test.each([
  [{ status: 500, body: { error: 'broken' } }, 'upstream_unavailable'],
  [{ status: 401, body: { error: 'no' } }, 'upstream_key_rejected'],
  [{ status: 403, body: { error: 'no' } }, 'upstream_forbidden'],
  [{ status: 200, body: { model: 'only this' } }, 'upstream_unexpected'],
  [{ status: 200, body: { status: null, model: 'other' } }, 'upstream_unexpected'],
  [{ status: 200, body: [] }, 'upstream_unexpected'],
])(
  'after the answer %j the last good data is kept with %s as the reason, until a read succeeds',
  async (answer, code) => {
    const { upstream, clock, follow, nextCheck } = await agentJobsApp()
    upstream.has(wireJob())
    await follow(key)
    upstream.answers(answer)
    const failed = await nextCheck()
    expect(failed).toMatchObject({
      status: 'active',
      model: 'sonnet-1',
      checkedAt: '2026-05-01T10:00:00.000Z',
      checkFailure: { code, at: new Date(clock.ms).toISOString() },
    })
    upstream.has(completedJob({ prLink: link }))
    clock.ms += minute
    expect(await nextCheck()).toMatchObject({ meaning: 'pull_request_ready', checkFailure: null })
  },
)

test('a field that the service stops sending becomes null', async () => {
  const { upstream, follow, nextCheck } = await agentJobsApp()
  upstream.has(completedJob({ prLink: link }))
  await follow(key)
  upstream.has({ status: 'completed' })
  expect(await nextCheck()).toMatchObject({ prLink: null, model: null, createdAt: null, meaning: 'finishing' })
})

test('Retry-After stops the polling of every job, and a single probe follows when it ends', async () => {
  const { upstream, clock, follow, pass, read, post } = await agentJobsApp()
  const jobs = ['a', 'b', 'c'].map((id) => ({ projectId: 'docs', id }))
  for (const { id } of jobs) upstream.has(wireJob(), { id })
  await follow(...jobs)
  upstream.always({ status: 429, headers: { 'retry-after': '120' } })
  clock.ms += 1000
  await post(toPath(jobs[0]!, '/check'))
  expect(upstream.calls).toHaveLength(4)
  expect((await read(jobs[0])).checkFailure?.code).toBe('upstream_rate_limited')
  for (const seconds of [1, 29, 30, 30, 29]) {
    clock.ms += seconds * 1000
    await pass()
  }
  expect(upstream.calls).toHaveLength(4)
  clock.ms += 1000
  await pass()
  expect(upstream.calls).toHaveLength(5)
  upstream.always(null)
  clock.ms += 120_000
  await pass()
  await pass()
  expect(upstream.calls).toHaveLength(8)
  for (const job of jobs) expect((await read(job)).checkFailure).toBeNull()
})

test('a rejected key causes one call a minute, however many jobs are followed', async () => {
  const { upstream, clock, follow, pass } = await agentJobsApp()
  const jobs = Array.from({ length: 12 }, (_, index) => ({ projectId: 'docs', id: `job_${index}` }))
  for (const { id } of jobs) upstream.has(wireJob(), { id })
  await follow(...jobs)
  upstream.always({ status: 401, body: { error: 'Invalid key' } })
  clock.ms += 3000
  await pass()
  const before = upstream.calls.length
  for (let second = 0; second < 10 * 60; second += 20) {
    clock.ms += 20_000
    await pass()
  }
  expect(upstream.calls.length - before).toBe(10)
})

test('watchers in several processes read every due job only once', async () => {
  const { upstream, clock, follow, process, pass } = await agentJobsApp()
  const jobs = Array.from({ length: 12 }, (_, index) => ({ projectId: 'docs', id: `job_${index}` }))
  for (const { id } of jobs) upstream.has(wireJob(), { id })
  await follow(...jobs)
  const others = await Promise.all([process(), process()])
  for (let round = 1; round <= 5; round += 1) {
    clock.ms += 2 * minute
    await Promise.all([pass(), ...others.map((other) => other.pass())])
    expect(upstream.calls).toHaveLength(12 * (round + 1))
  }
  expect(upstream.inFlightPeak()).toBe(1)
})

test('another process takes over the job of a dead reader when the lease has expired, not before', async () => {
  const { db, upstream, clock, follow, pass, read } = await agentJobsApp()
  upstream.has(wireJob())
  await follow(key)
  clock.ms += 5000
  await db
    .update(agentJobs)
    .set({ leaseOwner: 'dead/1', leaseUntil: new Date(clock.ms + 25_000) })
    .where(eq(agentJobs.id, key.id))
  clock.ms += 24_999
  await pass()
  expect(upstream.calls).toHaveLength(1)
  clock.ms += 1
  await pass()
  expect(upstream.calls).toHaveLength(2)
  expect((await read()).checkedAt).toBe(new Date(clock.ms).toISOString())
})

test('a lease lasts longer than the longest call, so a pending read is never considered lost', async () => {
  const { db, upstream, clock, follow, pass } = await agentJobsApp()
  upstream.has(wireJob())
  await follow(key)
  clock.ms += 5000
  const release = upstream.holdNext()
  const slow = pass()
  await upstream.asked(2)
  const [row] = await db.select().from(agentJobs)
  expect(row?.leaseUntil?.getTime()).toBeGreaterThan(clock.ms + callTimeoutMs)
  release()
  await slow
})

test('after a process is killed, the next one reads its records at once, unless other processes may use the database', async () => {
  for (const alone of [false, true]) {
    const { db, upstream, clock, follow, pass } = await agentJobsApp({ alone })
    upstream.has(wireJob())
    await follow(key)
    clock.ms += 5000
    await db.update(agentJobs).set({ leaseOwner: 'dead/1', leaseUntil: new Date(clock.ms + 25_000) })
    await pass()
    expect(upstream.calls).toHaveLength(alone ? 2 : 1)
  }
})

test('a late answer never overwrites a newer one', async () => {
  const { upstream, clock, follow, process, pass, read, post } = await agentJobsApp()
  upstream.has(wireJob())
  await follow(key)
  clock.ms += 5000
  const release = upstream.holdNext()
  const slow = (await process()).pass()
  await upstream.asked(2)
  upstream.has(completedJob({ prLink: link }))
  await post(toPath(key, '/check'))
  release()
  await slow
  expect((await read()).meaning).toBe('pull_request_ready')
  clock.ms += minute
  await pass()
  expect(upstream.calls).toHaveLength(4)
})

test('an answer that arrives after the job was removed changes nothing', async () => {
  const { upstream, clock, follow, pass, list, remove } = await agentJobsApp()
  upstream.has(wireJob())
  await follow(key)
  clock.ms += 5000
  const release = upstream.holdNext()
  const slow = pass()
  await upstream.asked(2)
  await remove(toPath(key))
  release()
  await slow
  expect((await list()).items).toEqual([])
  clock.ms += 60 * minute
  await pass()
  expect(upstream.calls).toHaveLength(2)
})

test('after a restart, polling continues where the previous process stopped, without any request', async () => {
  const { upstream, clock, follow, process, read } = await agentJobsApp()
  upstream.has(wireJob())
  await follow(key)
  upstream.has(completedJob({ prLink: link }))
  clock.ms += 5000
  const { watcher } = await process()
  watcher.start()
  await expect.poll(async () => (await read()).meaning).toBe('pull_request_ready')
  await watcher.stop()
})
