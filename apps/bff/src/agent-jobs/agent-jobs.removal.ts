import type { AgentJobKey } from '@docket/api-types/agent-jobs'
import { and, isNotNull, isNull, sql } from 'drizzle-orm'
import { planNextCheck } from '#agent-jobs/agent-jobs.outcome.ts'
import { countJobChange, isJob, recordJobEvents } from '#agent-jobs/agent-jobs.reader.ts'
import { agentJobs } from '#agent-jobs/agent-jobs.table.ts'
import type { Actor } from '#identity/actor.ts'
import type { Database } from '#db/database.ts'
import { gapWhileRemoved } from '#history/gap.ts'
import type { Clock } from '#polling/schedule.ts'

/** Removed jobs as they are deleted for good. */
export const removable = {
  type: 'agent_job',
  table: agentJobs,
  // Written by JSON.stringify, which the database's own JSON would space differently.
  keyText: sql`'[' || to_json(${agentJobs.projectId})::text || ',' || to_json(${agentJobs.id})::text || ']'`,
} as const

/** Stops following a job, in the name of `by`. False when nobody followed it. */
export const removeJob = (db: Database, key: AgentJobKey, { at, by }: { at: Date; by: Actor }): Promise<boolean> =>
  db.transaction(async (tx) => {
    // Without its lease, a read that is under way can no longer write.
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

/** Follows a removed job again, in the name of `by`. Nothing happens to any other. */
export const restoreJob = (db: Database, key: AgentJobKey, clock: Clock, by: Actor): Promise<void> =>
  db.transaction(async (tx) => {
    const [row] = await tx
      .select()
      .from(agentJobs)
      .where(and(isJob(key), isNotNull(agentJobs.removedAt)))
      .for('update')
    if (row === undefined || row.removedAt === null) return
    const at = new Date(clock.now)
    const gap = row.finishedAt === null ? gapWhileRemoved(row.removedAt, at) : null
    // What comes next cannot tell when it happened.
    const unseen = gap === null ? {} : { unfinishedAt: null }
    await tx
      .update(agentJobs)
      .set({ ...unseen, removedAt: null, nextCheckAt: planNextCheck(row, clock) })
      .where(isJob(key))
    await countJobChange(tx, key)
    await recordJobEvents(tx, key, [...(gap === null ? [] : [gap]), { kind: 'restored', at, by }])
  })
