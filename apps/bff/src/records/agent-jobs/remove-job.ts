import { and, isNotNull, isNull, sql } from 'drizzle-orm'
import { planNextCheck } from './agent-jobs.state.ts'
import { countJobChange, isJob, type JobKey, recordJobEvents } from './agent-jobs.rows.ts'
import { agentJobs } from './agent-jobs.table.ts'
import type { Actor } from '#ground/identity/actor.ts'
import type { Database } from '#ground/db/database.ts'
import { gapWhileRemoved } from '#service/history/gap.ts'
import type { Clock } from '#service/polling/schedule.ts'

/** Condition for removed jobs that are old enough to delete. */
export const removable = {
  type: 'agent_job',
  table: agentJobs,
  // JSON.stringify writes no spaces; the database's own JSON does.
  keyText: sql`'[' || to_json(${agentJobs.projectId})::text || ',' || to_json(${agentJobs.id})::text || ']'`,
} as const

/** Removes a job from the list. False when it is not listed. */
export const removeJob = (db: Database, key: JobKey, { at, by }: { at: Date; by: Actor }): Promise<boolean> =>
  db.transaction(async (tx) => {
    // A read under way loses its lease and cannot write.
    const set = { removedAt: at, nextCheckAt: null, leaseOwner: null, leaseUntil: null }
    const [row] = await tx
      .update(agentJobs)
      .set(set)
      .where(and(isJob(key), isNull(agentJobs.removedAt)))
      .returning({ id: agentJobs.id })
    if (row === undefined) return false
    await countJobChange(tx, key)
    await recordJobEvents(tx, key, [{ kind: 'removed', at, by }])
    return true
  })

/** Restores a removed job. Does nothing for any other. */
export const restoreJob = (db: Database, key: JobKey, clock: Clock, by: Actor): Promise<void> =>
  db.transaction(async (tx) => {
    const [row] = await tx
      .select()
      .from(agentJobs)
      .where(and(isJob(key), isNotNull(agentJobs.removedAt)))
      .for('update')
    if (row === undefined || row.removedAt === null) return
    const at = new Date(clock.now)
    const gap = row.finishedAt === null ? gapWhileRemoved(row.removedAt, at) : null
    // Docket did not watch meanwhile, so the end cannot be timed.
    const unseen = gap === null ? {} : { unfinishedAt: null }
    await tx
      .update(agentJobs)
      .set({ ...unseen, removedAt: null, nextCheckAt: planNextCheck(row, clock) })
      .where(isJob(key))
    await countJobChange(tx, key)
    await recordJobEvents(tx, key, [...(gap === null ? [] : [gap]), { kind: 'restored', at, by }])
  })
