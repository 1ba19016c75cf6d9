import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testConnectionId } from '#testing/connection.ts'
import { agentJobs } from '#records/agent-jobs/agent-jobs.table.ts'
import { staticExports } from '#records/static-exports/static-exports.table.ts'
import { readListTag } from '#ground/db/revision.ts'
import { testDatabase, type TestDatabase } from '#testing/database.ts'
import { trackViewers, type RecordName } from './viewers.ts'

const minute = 60_000
const start = Date.parse('2026-05-01T10:00:00.000Z')
const clock = { ms: start }
let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  clock.ms = start
  await database.db.delete(agentJobs)
  await database.db.delete(staticExports)
})

/** One replica that plans a viewed record every ten seconds. */
const replica = () => {
  const woken: string[] = []
  const timers: number[] = []
  const viewers = trackViewers({
    db: database.db,
    kinds: {
      static_exports: { table: staticExports, key: [staticExports.exportId], wake: () => woken.push('static_exports') },
      agent_jobs: {
        table: agentJobs,
        key: [agentJobs.connectionId, agentJobs.projectId, agentJobs.id],
        wake: () => woken.push('agent_jobs'),
      },
    },
    scheduleOf: () => ({ nextRead: ({ nowMs, viewed }) => new Date(nowMs + (viewed ? 10_000 : 3_600_000)) }),
    now: () => clock.ms,
    log: pino({ level: 'silent' }),
    timer: (_run, ms) => {
      timers.push(ms)
      return () => {}
    },
  })
  return { viewers, woken, timers }
}

const job = async (id: string, more: Partial<typeof agentJobs.$inferInsert> = {}): Promise<RecordName> => {
  const checkedAt = new Date(start - 4000)
  await database.db.insert(agentJobs).values({
    projectId: 'it’s {a, "b"}',
    id,
    status: 'active',
    followedAt: new Date(start - minute),
    changingSince: new Date(start - minute),
    checkedAt,
    nextCheckAt: new Date(start + 5 * 60 * minute),
    ...more,
  })
  return [testConnectionId, 'it’s {a, "b"}', id]
}
const readJob = async (id: string) => (await database.db.select().from(agentJobs).where(eq(agentJobs.id, id)))[0]!

test('a record on a screen is read soon, even if its next check was hours away', async () => {
  const { viewers, woken, timers } = replica()
  const name = await job('a')
  await job('b')
  viewers.note('agent_jobs', [name])
  viewers.note('agent_jobs', [name])
  expect(timers).toEqual([2000])
  const tag = await readListTag(database.db, 'agent_jobs')
  await viewers.flush()
  // Lists do not show check times.
  expect(await readListTag(database.db, 'agent_jobs')).toBe(tag)
  expect(await readJob('a')).toMatchObject({
    nextCheckAt: new Date(start + 6000),
    viewedUntil: new Date(start + minute),
  })
  expect(await readJob('b')).toMatchObject({ nextCheckAt: new Date(start + 300 * minute), viewedUntil: null })
  expect(woken).toEqual(['agent_jobs'])
})

test('an export on a screen is read soon as well', async () => {
  const { viewers } = replica()
  const exportId = randomUUID()
  await database.db.insert(staticExports).values({
    exportId,
    domain: 'docs.example.com',
    state: 'accepted',
    jobId: 'j',
    startedAt: new Date(start),
    changingSince: new Date(start),
    checkedAt: new Date(start),
    nextCheckAt: new Date(start + minute),
  })
  viewers.note('static_exports', [[exportId]])
  await viewers.flush()
  const [row] = await database.db.select().from(staticExports)
  expect(row!.nextCheckAt).toEqual(new Date(start + 10_000))
})

test('a polling page causes at most one write per half minute, and none for records that are due soon', async () => {
  const one = replica()
  const other = replica()
  const name = await job('a', { nextCheckAt: new Date(start + 7000) })
  const tag = await readListTag(database.db, 'agent_jobs')
  let writes = 0
  let before = await readJob('a')
  for (; clock.ms < start + 2 * minute; clock.ms += 3000)
    for (const { viewers } of [one, other]) {
      viewers.note('agent_jobs', [name])
      await viewers.flush()
      const after = await readJob('a')
      expect(after.nextCheckAt).toEqual(new Date(start + 7000))
      if (after.viewedUntil?.getTime() !== before.viewedUntil?.getTime()) writes += 1
      before = after
    }
  expect(writes).toBe(4)
  expect(one.woken).toEqual([])
  expect(await readListTag(database.db, 'agent_jobs')).toBe(tag)
})

test('viewing does not move forward reads of settled, failing or removed records', async () => {
  const { viewers, woken } = replica()
  const nextCheckAt = new Date(start + 300 * minute)
  const names = [
    await job('finished', { finishedAt: new Date(start) }),
    await job('gone', { goneAt: new Date(start) }),
    await job('removed', { removedAt: new Date(start) }),
    await job('failing', { failures: 2 }),
  ]
  viewers.note('agent_jobs', [...names, [testConnectionId, 'nobody', 'follows this']])
  await viewers.flush()
  for (const [, , id] of names) expect((await readJob(id!)).nextCheckAt).toEqual(nextCheckAt)
  expect(woken).toEqual([])
})

test('replicas that track the same records at the same time do not deadlock', async () => {
  const names = await Promise.all(Array.from({ length: 40 }, (_, index) => job(`j${index}`)))
  const replicas = [replica(), replica(), replica()]
  for (const [index, { viewers }] of replicas.entries())
    viewers.note('agent_jobs', index % 2 === 0 ? names : names.toReversed())
  await Promise.all(replicas.map(({ viewers }) => viewers.flush()))
  for (const [, , id] of names) expect((await readJob(id!)).nextCheckAt).toEqual(new Date(start + 6000))
})

test('a stopped tracker writes nothing', async () => {
  const { viewers } = replica()
  const name = await job('a')
  viewers.note('agent_jobs', [name])
  await viewers.stop()
  await viewers.flush()
  viewers.note('agent_jobs', [name])
  await viewers.flush()
  expect((await readJob('a')).viewedUntil).toBeNull()
})
