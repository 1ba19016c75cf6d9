import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testConnectionId } from '#testing/connection.ts'
import { agentJobs } from '#records/agent-jobs/agent-jobs.table.ts'
import { staticExports } from '#records/static-exports/static-exports.table.ts'
import { testDatabase, type TestDatabase } from '#testing/database.ts'
import { readIntervalMs, readIntervalSql } from './read-interval.ts'
import { readDemand } from '#service/polling/demand.ts'
import { replanReads } from '#service/polling/demand.ts'

const nowMs = Date.parse('2026-05-01T10:00:00.000Z')
const minute = 60_000
const hour = 60 * minute
const floorMs = 2000
const at = (ms: number) => new Date(nowMs + ms)
let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const changing = { nextCheckAt: at(5000), changingSince: at(-10 * minute) }
const addJob = (id: string, more: Partial<typeof agentJobs.$inferInsert>) =>
  database.db.insert(agentJobs).values({ projectId: 'p', id, followedAt: at(-minute), ...more })
const nextCheck = async (id: string) => {
  const [row] = await database.db.select().from(agentJobs).where(eq(agentJobs.id, id))
  return row!.nextCheckAt!.getTime() - nowMs
}

test('the database and the server calculate the same interval in every case', async () => {
  const { db } = database
  const ages = [-minute, 0, minute, 10 * minute, hour - 1, hour, 5 * hour, 40 * hour]
  for (const ageMs of ages)
    for (const viewed of [true, false]) {
      const id = `${ageMs} ${viewed}`
      await addJob(id, { ...changing, changingSince: at(-ageMs), viewedUntil: viewed ? at(minute) : at(-1) })
      for (const floor of [floorMs, 250]) {
        const [row] = await db
          .select({ ms: readIntervalSql(agentJobs, { nowMs, floorMs: floor }) })
          .from(agentJobs)
          .where(eq(agentJobs.id, id))
        expect([id, row!.ms]).toEqual([id, readIntervalMs({ ageMs, viewed, floorMs: floor })])
      }
    }
  // Reads of the embedded service are free, so a job that somebody watches stays live.
  expect(readIntervalMs({ ageMs: 5 * hour, viewed: true, floorMs: 250 })).toBe(250)
  await db.delete(agentJobs)
})

test('the demand includes the changing records of both kinds', async () => {
  const { db } = database
  await addJob('counted', changing)
  await addJob('removed', { ...changing, removedAt: at(0) })
  await addJob('gone', { ...changing, goneAt: at(0) })
  await addJob('finished', { ...changing, status: 'failed', finishedAt: at(-2 * minute) })
  await db.insert(staticExports).values([
    { exportId: randomUUID(), domain: 'a.example', state: 'accepted', startedAt: at(-minute), ...changing },
    { exportId: randomUUID(), domain: 'a.example', state: 'refused', startedAt: at(-minute), finishedAt: at(-1000) },
  ])
  const demand = await readDemand(db, [staticExports, agentJobs], { connectionId: testConnectionId, nowMs, floorMs })
  expect(demand.records).toBe(2)
  expect(demand.callsPerMs).toBeCloseTo(2 / 12_000, 12)
})

test('a completed job without a pull request adds to the demand for an hour, by the time since its end', async () => {
  const { db } = database
  await db.delete(agentJobs)
  await db.delete(staticExports)
  const completed = { ...changing, changingSince: at(-5 * hour), status: 'completed' }
  await addJob('awaited', { ...completed, finishedAt: at(-20 * minute) })
  await addJob('too late', { ...completed, finishedAt: at(-hour) })
  await addJob('with its pull request', { ...completed, finishedAt: at(-minute), prLink: 'https://x.example/1' })
  await addJob('of long ago', { ...completed, finishedAt: at(-minute), createdAt: at(-48 * hour) })
  const demand = await readDemand(db, [agentJobs], { connectionId: testConnectionId, nowMs, floorMs })
  expect(demand.records).toBe(1)
  expect(demand.callsPerMs).toBeCloseTo(1 / 24_000, 12)
})

test('with a larger budget, planned reads are moved forward, except those delayed by failures', async () => {
  const { db } = database
  await db.delete(agentJobs)
  await addJob('late', { ...changing, nextCheckAt: at(2 * hour) })
  await addJob('usual', { ...changing, nextCheckAt: at(13_000) })
  await addJob('failing', { ...changing, nextCheckAt: at(hour), failures: 2 })
  await addJob('settled', { ...changing, nextCheckAt: at(6 * hour), finishedAt: at(-minute) })
  expect(await replanReads(db, agentJobs, { nowMs, floorMs, stretch: 10 })).toBe(1)
  expect(await nextCheck('late')).toBeLessThanOrEqual(120_000)
  expect(await Promise.all(['usual', 'failing', 'settled'].map(nextCheck))).toEqual([13_000, hour, 6 * hour])
})
