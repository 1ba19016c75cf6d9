import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { agentJobs } from '#agent-jobs/agent-jobs.table.ts'
import { staticExports } from '#static-exports/static-exports.table.ts'
import { testDatabase, type TestDatabase } from '#testing/database.ts'
import { bucketOf } from '#watch/schedule/ages.ts'
import { watchedRecords } from '#watch/schedule/watched-records.ts'

const now = Date.parse('2026-05-01T10:00:00.000Z')
const minute = 60_000
const at = (ms: number) => new Date(now + ms)
let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const job = (id: string, more: Partial<typeof agentJobs.$inferInsert>) =>
  database.db.insert(agentJobs).values({ projectId: 'p', id, followedAt: at(-minute), ...more })
const exported = (more: Partial<typeof staticExports.$inferInsert>) =>
  database.db
    .insert(staticExports)
    .values({ exportId: randomUUID(), domain: 'a.example', state: 'accepted', startedAt: at(-minute), ...more })

test('the load counts what is still changing, by age, and what is on a screen; endings tell between which ages', async () => {
  const changing = { nextCheckAt: at(5000), changingSince: at(-10 * minute) }
  await job('a', changing)
  await job('b', { ...changing, viewedUntil: at(minute) })
  await job('c', { ...changing, viewedUntil: at(-1), changingSince: at(-50 * 60 * minute) })
  await job('from the future', { ...changing, changingSince: at(minute) })
  await job('removed', { ...changing, removedAt: at(0) })
  await job('gone', { ...changing, goneAt: at(0) })
  await job('finished', { ...changing, unfinishedAt: at(-4 * minute), finishedAt: at(-2 * minute) })
  await job('finished before it was followed', { changingSince: at(-10 * minute), finishedAt: at(-2 * minute) })
  await job('seen by two clocks', { ...changing, unfinishedAt: at(0), finishedAt: at(-minute) })
  await exported({ ...changing })
  await exported({ state: 'completed', changingSince: at(-9000), unfinishedAt: at(-3000), finishedAt: at(-1000) })
  await exported({ state: 'refused', finishedAt: at(-1000) })

  const watched = watchedRecords(database.db, { static_exports: staticExports, agent_jobs: agentJobs })
  const { agent_jobs: jobs, static_exports: exports } = await watched.load(now)
  const counted = (of: readonly number[]) => of.flatMap((count, bucket) => (count === 0 ? [] : [[bucket, count]]))
  expect(counted(jobs.changing)).toEqual([
    [0, 1],
    [bucketOf(10 * minute), 2],
    [bucketOf(50 * 60 * minute), 1],
  ])
  expect(counted(jobs.viewed)).toEqual([[bucketOf(10 * minute), 1]])
  expect(counted(exports.changing)).toEqual([[bucketOf(10 * minute), 1]])
  expect(await watched.endings()).toEqual({
    agent_jobs: [{ fromMs: 6 * minute, toMs: 8 * minute }],
    static_exports: [{ fromMs: 6000, toMs: 8000 }],
  })
})
