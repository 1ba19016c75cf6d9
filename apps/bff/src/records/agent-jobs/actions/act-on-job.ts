import { and, isNull } from 'drizzle-orm'
import type { AdminApi, AgentJobSnapshot } from '#service/admin-api/admin-api.ts'
import { AdminApiError } from '#ground/errors/admin-api-error.ts'
import type { Database, Tx } from '#ground/db/database.ts'
import { withoutDeadline } from '#ground/db/deadline.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { NewEvent } from '#service/history/history.ts'
import type { Actor } from '#ground/identity/actor.ts'
import type { Polling } from '#service/polling/polling.ts'
import { listEvents } from '#records/agent-jobs/agent-jobs.history.ts'
import {
  countJobChange,
  isJob,
  type JobKey,
  notFollowed,
  recordJobEvents,
} from '#records/agent-jobs/agent-jobs.rows.ts'
import { afterAnswer, type AgentJobRow, deriveMeaning, selectWritable } from '#records/agent-jobs/agent-jobs.state.ts'
import { agentJobs } from '#records/agent-jobs/agent-jobs.table.ts'
import { type JobAbilities, refuseActions } from './job-actions.ts'

const actions = {
  cancel: { operation: 'cancelAgentJob', event: 'cancel_requested' },
  archive: { operation: 'archiveAgentJob', event: 'archive_requested' },
} as const

/** What a person can ask the service to do with a job. */
export type JobAction = keyof typeof actions

/** Cancels and archives jobs of a connection, each with one call that is never repeated. */
export const jobActions = (deps: { db: Database; adminApi: AdminApi; polling: Polling; abilities: JobAbilities }) => {
  const { db, adminApi, abilities } = deps
  const { limiter, lease, now, schedule } = deps.polling

  const lock = async (tx: Tx, key: JobKey): Promise<AgentJobRow> => {
    const which = and(isJob(key), isNull(agentJobs.removedAt))
    const [row] = await tx.select().from(agentJobs).where(which).for('update')
    if (row === undefined) throw notFollowed()
    return row
  }

  const writeIntent = (key: JobKey, action: JobAction, by: Actor) =>
    db.transaction(async (tx) => {
      const row = await lock(tx, key)
      const reason = refuseActions(row, deriveMeaning(row, now()), abilities)[action]
      if (reason !== null) throw new AppError('conflict', reason)
      // The job is read again, whatever becomes of the call.
      await tx
        .update(agentJobs)
        .set({ nextCheckAt: new Date(now() + lease.leaseMs) })
        .where(isJob(key))
      await recordJobEvents(tx, key, [{ kind: actions[action].event, at: new Date(now()), by }])
      return limiter.grant(tx, actions[action].operation)
    })

  const keep = (key: JobKey, snapshot: AgentJobSnapshot) =>
    db.transaction(async (tx) => {
      const row = await lock(tx, key)
      const after = afterAnswer(row, snapshot, { now: now(), schedule })
      // Without its lease, a read under way cannot write its older answer.
      await tx
        .update(agentJobs)
        .set({ ...selectWritable(after), leaseOwner: null, leaseUntil: null })
        .where(isJob(key))
      await countJobChange(tx, key)
      await recordJobEvents(tx, key, listEvents(row, after, { now: now(), runningSince: now() }))
    })

  const keepFailure = (key: JobKey, { message }: AdminApiError) =>
    db.transaction(async (tx) => {
      const at = new Date(now())
      await tx.update(agentJobs).set({ nextCheckAt: at }).where(isJob(key))
      const event: NewEvent = { kind: 'action_failed', at, to: message }
      await recordJobEvents(tx, key, [event])
    })

  /** Rejects with `conflict` and the reason when it is not possible, or with `upstream_*`. */
  return async (key: JobKey, action: JobAction, by: Actor): Promise<void> => {
    await schedule.refresh()
    const granted = await writeIntent(key, action, by)
    // The person may leave meanwhile; the outcome is written all the same.
    await withoutDeadline(async () => {
      try {
        await keep(key, await granted.call(() => adminApi[actions[action].operation](key)))
      } catch (error) {
        if (error instanceof AdminApiError) await keepFailure(key, error)
        throw error
      }
    })
  }
}
