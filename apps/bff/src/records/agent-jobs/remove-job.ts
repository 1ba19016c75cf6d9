import { and, isNotNull, isNull, sql } from 'drizzle-orm'
import { planNextCheck } from './agent-jobs.state.ts'
import { countJobChange, isJob, locateJob, recordJobEvents, type RequestedJob } from './agent-jobs.rows.ts'
import { agentJobs } from './agent-jobs.table.ts'
import type { Actor } from '#ground/identity/identity.ts'
import type { Tx } from '#ground/db/database.ts'
import { daysAgo } from '#ground/db/delete-old-rows.ts'
import { bumpRevision } from '#ground/db/revision.ts'
import { agentPrompts } from '#records/agent-jobs/prompts/agent-prompts.table.ts'
import type { JobsCtx } from '#records/agent-jobs/jobs-ctx.ts'
import { purgeRemovedRecords } from '#service/history/retention.ts'
import { readJob } from './read-jobs.ts'
import { findGapWhileRemoved } from '#service/history/gap.ts'
import { idleSchedule } from '#service/polling/schedule.ts'

const removable = {
  type: 'agent_job',
  table: agentJobs,
  // JSON.stringify writes no spaces, but the JSON of the database does.
  keyText: sql`'[' || to_json(${agentJobs.projectId})::text || ',' || to_json(${agentJobs.id})::text || ']'`,
} as const

/**
 * Deletes prompts older than `days` whose job is deleted and that need no decision. Keeps those of the last 30 days, because their
 * `requestId` prevents a repeated request from being sent again. `now` in milliseconds since the epoch. Returns the number of deleted
 * prompts.
 */
export const purgePrompts = async (tx: Tx, { now, days }: { now: number; days: number }): Promise<number> => {
  const job = sql`select from ${agentJobs} where ${agentJobs.connectionId} = ${agentPrompts.connectionId} and ${agentJobs.projectId} = ${agentPrompts.projectId} and ${agentJobs.id} = ${agentPrompts.jobId}`
  const open = sql`${agentPrompts.state} in ('sending', 'unknown') and ${agentPrompts.jobId} is null and ${agentPrompts.forgottenAt} is null and ${agentPrompts.replacedBy} is null`
  const { rowCount } = await tx.execute(
    sql`delete from ${agentPrompts} where ${agentPrompts.sentAt} < ${daysAgo(now, Math.max(days, 30))} and not (${open}) and not exists (${job})`,
  )
  return rowCount ?? 0
}

/** Also deletes their events and prompts. Returns the number of deleted jobs. */
export const purgeRemovedJobs = async ({ db, now, retentionDays }: JobsCtx): Promise<number> => {
  const retention = { now: now(), days: retentionDays.agentJobs }
  const jobs = await purgeRemovedRecords(db, removable, retention)
  if (jobs > 0) await bumpRevision(db, 'agent_jobs')
  return jobs + (await purgePrompts(db, retention))
}

/** Idempotent. */
export const removeJob = async ({ db, now }: JobsCtx, job: RequestedJob, by: Actor): Promise<void> => {
  const key = await locateJob(db, job)
  const at = new Date(now())
  await db.transaction(async (tx) => {
    // A read in progress loses its lease and cannot write.
    const set = { removedAt: at, nextCheckAt: null, leaseOwner: null, leaseUntil: null }
    const [row] = await tx
      .update(agentJobs)
      .set(set)
      .where(and(isJob(key), isNull(agentJobs.removedAt)))
      .returning({ id: agentJobs.id })
    if (row === undefined) return
    await countJobChange(tx, key)
    await recordJobEvents(tx, key, [{ kind: 'removed', at, by }])
  })
}

/** Makes no call to the service. */
export const restoreJob = async (ctx: JobsCtx, job: RequestedJob, by: Actor) => {
  const { db, now } = ctx
  const key = await locateJob(db, job)
  const here = ctx.connections.find(key.connectionId)?.jobs
  await here?.polling.schedule.refresh()
  const clock = { now: now(), schedule: here?.polling.schedule ?? idleSchedule }
  await db.transaction(async (tx) => {
    const [row] = await tx
      .select()
      .from(agentJobs)
      .where(and(isJob(key), isNotNull(agentJobs.removedAt)))
      .for('update')
    if (row === undefined || row.removedAt === null) return
    const at = new Date(clock.now)
    const gap = row.finishedAt === null ? findGapWhileRemoved(row.removedAt, at) : null
    // Docket did not watch the job while it was removed, so its end cannot be timed.
    const unseen = gap === null ? {} : { unfinishedAt: null }
    await tx
      .update(agentJobs)
      .set({ ...unseen, removedAt: null, nextCheckAt: planNextCheck(row, clock) })
      .where(isJob(key))
    await countJobChange(tx, key)
    await recordJobEvents(tx, key, [...(gap === null ? [] : [gap]), { kind: 'restored', at, by }])
  })
  here?.watcher.wake()
  return readJob(ctx, key)
}
