import { History } from '@docket/api-types/history'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { agentJobsApp, key, toPath } from '#records/agent-jobs/testing/agent-jobs-app.ts'
import { completedJob, wireJob } from '#records/agent-jobs/testing/stand-in.ts'

const jobsWithHistory = async () => {
  const app = await agentJobsApp()
  await app.db.execute(sql`delete from history_events`)
  const history = async (job = key) => History.parse(await (await app.get(toPath(job, '/history'))).json()).events
  return {
    ...app,
    history,
    /** The events, without what every one has. */
    listEvents: async () =>
      (await history()).map(({ kind, field, from, to, by }) =>
        [kind, field, from, to, by].filter((part) => part !== null).join(' '),
      ),
  }
}

const somebody = 'The admin'
const minute = 60_000

test('the history of a job lists in order who follows it, what the service reported, and its pull request', async () => {
  const { upstream, follow, nextCheck, post, remove, listEvents } = await jobsWithHistory()
  upstream.has(wireJob())
  await follow(key)
  await follow(key)
  upstream.has(wireJob({ model: 'opus-1' }))
  await nextCheck()
  upstream.has(completedJob({ model: 'opus-1' }))
  await nextCheck()
  upstream.has(completedJob({ model: 'opus-1', prLink: 'https://github.com/acme/docs/pull/12?token=x' }))
  await nextCheck()
  upstream.has(wireJob({ model: 'opus-1', prLink: 'https://github.com/acme/docs/pull/12?token=x' }))
  await post(toPath(key, '/check'))
  await remove(toPath(key))
  await post(toPath(key, '/restore'))
  expect(await listEvents()).toEqual([
    `followed active ${somebody}`,
    'changed model sonnet-1 opus-1',
    'completed active',
    'pull_request_reported https://github.com/acme/docs/pull/12?[removed]',
    `checked ${somebody}`,
    'active_again completed active',
    `removed ${somebody}`,
    `restored ${somebody}`,
  ])
})

test('a missing pull request is recorded once, an hour after the completion', async () => {
  const { upstream, clock, follow, nextCheck, listEvents } = await jobsWithHistory()
  upstream.has(wireJob())
  await follow(key)
  upstream.has(completedJob())
  await nextCheck()
  clock.ms += 58 * minute
  await nextCheck()
  expect(await listEvents()).not.toContain('no_pull_request')
  for (let job = await nextCheck(); job.nextCheckAt !== null; job = await nextCheck());
  expect(await listEvents()).toEqual([`followed active ${somebody}`, 'completed active', 'no_pull_request'])
})

test('the status a job had before it was followed is not a separate event', async () => {
  const { upstream, follow, nextCheck, listEvents } = await jobsWithHistory()
  upstream.has(completedJob({ prLink: 'https://github.com/acme/docs/pull/12' }))
  await follow(key)
  await nextCheck()
  expect(await listEvents()).toEqual([`followed completed ${somebody}`])
})

test('two processes that follow one job at the same time record one event', async () => {
  const { upstream, follow, process, listEvents } = await jobsWithHistory()
  const other = await process()
  upstream.has(wireJob())
  await Promise.all([follow(key), other.follow(key)])
  expect(await listEvents()).toEqual([`followed active ${somebody}`])
})

test('usual durations come from the job’s repository, or from all repositories if that one has too few jobs', async () => {
  const { upstream, follow, post, clock, read, list } = await jobsWithHistory()
  const job = (id: string) => ({ projectId: 'docs', id })
  const run = async (id: string, repository: string, steps: number) => {
    const createdAt = new Date(clock.ms).toISOString()
    upstream.has(wireJob({ createdAt, source: { repository } }), { id })
    await follow(job(id))
    for (let step = 1; step <= steps; step += 1) {
      clock.ms += 20_000
      if (step === steps) upstream.has(completedJob({ createdAt, source: { repository } }), { id })
      expect((await post(toPath(job(id), '/check'))).status).toBe(200)
    }
  }
  for (const steps of [1, 2, 3, 4]) await run(`a${steps}`, 'https://x.example/a', steps)
  expect((await read(job('a1'))).usual).toBeNull()
  await run('b1', 'https://x.example/b', 10)
  expect((await read(job('a1'))).usual).toMatchObject({ sample: 5 })
  await run('a5', 'https://x.example/a', 5)
  clock.ms += 60_000
  upstream.has(wireJob({ source: { repository: 'https://x.example/a' } }), { id: 'a6' })
  await follow(job('a6'))
  const usual = (await read(job('a6'))).usual
  expect(usual).toEqual({ sample: 5, p25Ms: 40_000, p50Ms: 60_000, p75Ms: 80_000, p95Ms: 100_000 })
  expect((await read(job('b1'))).usual?.sample).toBe(6)
  const usualById = Object.fromEntries((await list()).items.map((job) => [job.id, job.usual]))
  expect(usualById).toMatchObject({ a6: usual, b1: null })
})
