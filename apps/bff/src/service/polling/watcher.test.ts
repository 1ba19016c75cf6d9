import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { agentJobs } from '#records/agent-jobs/agent-jobs.table.ts'
import { agentJobsApp, key } from '#records/agent-jobs/testing/agent-jobs-app.ts'
import { wireJob } from '#records/agent-jobs/testing/stand-in.ts'
import { testDatabase, type TestDatabase } from '#testing/database.ts'
import { pullReadsForward } from './watcher.ts'

const hour = 3_600_000
let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

test('records planned or leased by a faster clock are due at once, and others stay unchanged', async () => {
  const { db } = database
  const now = Date.parse('2026-05-01T10:00:00.000Z')
  const at = (ms: number) => new Date(now + ms)
  const job = (id: string, more: Partial<typeof agentJobs.$inferInsert>) =>
    db.insert(agentJobs).values({ projectId: 'p', id, followedAt: at(0), checkedAt: at(-1000), ...more })
  await job('future', { checkedAt: at(3 * hour), nextCheckAt: at(3 * hour + 5000) })
  await job('usual', { nextCheckAt: at(6 * hour) })
  await job('never', { checkedAt: at(3 * hour) })
  await job('leased', { nextCheckAt: at(-5000), leaseOwner: 'gone', leaseUntil: at(3 * hour) })
  await job('being read', { nextCheckAt: at(-5000), leaseOwner: 'me', leaseUntil: at(40_000) })
  expect(await pullReadsForward(db, agentJobs, { now })).toBe(2)
  const rows = await db.select().from(agentJobs)
  const findRow = (id: string) => rows.find((row) => row.id === id)
  expect(findRow('future')!.nextCheckAt).toEqual(at(0))
  expect(findRow('usual')!.nextCheckAt).toEqual(at(6 * hour))
  expect(findRow('never')!.nextCheckAt).toBeNull()
  expect(findRow('leased')).toMatchObject({ leaseOwner: null, leaseUntil: null, nextCheckAt: at(-5000) })
  expect(findRow('being read')).toMatchObject({ leaseOwner: 'me', leaseUntil: at(40_000) })
})

test('after the clock was set back by hours, jobs are read at once and not hours later', async () => {
  const { upstream, clock, follow, nextCheck, pass, db } = await agentJobsApp()
  upstream.has(wireJob())
  await follow(key)
  await nextCheck()
  const calls = upstream.calls.length
  clock.ms -= 5 * hour
  await pass()
  expect(upstream.calls).toHaveLength(calls + 1)
  const [row] = await db.select().from(agentJobs).where(eq(agentJobs.id, key.id))
  expect(row!.nextCheckAt!.getTime()).toBeLessThan(clock.ms + hour)
})
