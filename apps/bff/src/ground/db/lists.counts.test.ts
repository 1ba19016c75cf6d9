import { eq, inArray, isNull, sql } from 'drizzle-orm'
import { array, assert, asyncProperty, constantFrom, integer, record } from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { agentJobs } from '#records/agent-jobs/agent-jobs.table.ts'
import { bumpRevision, readGroupCounts } from './revision.ts'
import { testDatabase } from '#testing/database.ts'

const database = await testDatabase()
const { db } = database
afterAll(database.drop)

const jobs = Array.from({ length: 12 }, (_, n) => ({ projectId: 'docs', id: `job_${n}`, followedAt: new Date(n) }))

const readCounts = async () => {
  const rows = await db
    .select({ group: agentJobs.group, count: sql<number>`count(*)::int` })
    .from(agentJobs)
    .where(isNull(agentJobs.removedAt))
    .groupBy(agentJobs.group)
  return Object.fromEntries(rows.map(({ group, count }) => [group, count]))
}

const change = record({
  ids: array(
    integer({ min: 0, max: jobs.length - 1 }).map((n) => `job_${n}`),
    { minLength: 1, maxLength: 3 },
  ),
  status: constantFrom('active', 'completed', 'failed', 'archived'),
  what: constantFrom('move', 'move', 'move', 'remove', 'restore', 'delete'),
})

/**
 * A change as Docket makes it: the rows are locked first, in one order, then changed one by one; the list is told last.
 */
const perform = ({ ids, status, what }: { ids: string[]; status: string; what: string }) =>
  db.transaction(async (tx) => {
    await tx.select().from(agentJobs).where(inArray(agentJobs.id, ids)).orderBy(agentJobs.id).for('update')
    for (const id of ids) {
      const which = eq(agentJobs.id, id)
      if (what === 'delete') await tx.delete(agentJobs).where(which)
      else if (what === 'move') await tx.update(agentJobs).set({ status }).where(which)
      else
        await tx
          .update(agentJobs)
          .set({ removedAt: what === 'remove' ? new Date(0) : null })
          .where(which)
    }
    await bumpRevision(tx, 'agent_jobs')
  })

test('group counts are right after any concurrent changes, and no change fails', async () => {
  await assert(
    asyncProperty(array(change, { minLength: 2, maxLength: 30 }), async (changes) => {
      await db.delete(agentJobs)
      await db.insert(agentJobs).values(jobs)
      await Promise.all(changes.map(perform))
      expect(await readGroupCounts(db, 'agent_jobs')).toEqual(await readCounts())
    }),
    { numRuns: 12 },
  )
})

test('two transactions that move records in opposite directions run one after the other, and both are counted', async () => {
  await db.delete(agentJobs)
  await db.insert(agentJobs).values(jobs.map((job, n) => ({ ...job, status: n % 2 === 0 ? 'active' : 'failed' })))
  const halves = [0, 1].map((rest) => jobs.filter((_, n) => n % 2 === rest).map(({ id }) => id))
  await Promise.all(halves.map((ids, half) => perform({ ids, status: half === 0 ? 'failed' : 'active', what: 'move' })))
  expect(await readGroupCounts(db, 'agent_jobs')).toEqual({ working: 6, failed: 6 })
})
