import { expect, test } from 'vitest'
import { agentJobsApp, key } from '#records/agent-jobs/testing/agent-jobs-app.ts'
import { agentJobs } from '#records/agent-jobs/agent-jobs.table.ts'
import { completedJob, wireJob } from '#records/agent-jobs/testing/stand-in.ts'

const minute = 60_000
const readChangingSince = async ({ db }: Awaited<ReturnType<typeof agentJobsApp>>) => {
  const [row] = await db.select().from(agentJobs)
  return row!.changingSince?.getTime()
}

test.each([
  ['an hour ago', -60 * minute, -60 * minute],
  ['days ago', -4 * 24 * 60 * minute, 0],
  ['in the future', 60 * minute, 0],
])('the age of a job created %s is counted from a plausible time', async (_when, createdMs, sinceMs) => {
  const app = await agentJobsApp()
  app.upstream.has(wireJob({ createdAt: new Date(app.clock.ms + createdMs).toISOString() }))
  await app.follow(key)
  expect(await readChangingSince(app)).toBe(app.clock.ms + sinceMs)
})

test('a job that becomes active again counts as new from that moment', async () => {
  const app = await agentJobsApp()
  app.upstream.has(wireJob())
  await app.follow(key)
  const followed = app.clock.ms
  app.upstream.has(completedJob({ prLink: 'https://github.com/acme/docs/pull/12' }))
  await app.nextCheck()
  app.upstream.has(wireJob())
  const job = await app.nextCheck()
  expect(job.meaning).toBe('working')
  expect(await readChangingSince(app)).toBe(app.clock.ms)
  expect(app.clock.ms).toBeGreaterThan(followed)
})

test('without a budget a job keeps its planned read time and is not read, and a Docket with a budget reads it at once', async () => {
  const app = await agentJobsApp({ callsPerHour: 0 })
  app.upstream.has(wireJob())
  await app.follow(key)
  app.clock.ms += 60 * minute
  await app.pass()
  expect(app.upstream.calls).toHaveLength(1)
  expect((await app.read()).nextCheckAt).not.toBeNull()
  const restarted = await app.process({ callsPerHour: 100 })
  await restarted.pass()
  expect(app.upstream.calls).toHaveLength(2)
})
