import { and, isNull } from 'drizzle-orm'
import type { AgentJobSnapshot } from '#service/admin-api/admin-api.ts'
import { AdminApiError } from '#ground/errors/admin-api-error.ts'
import type { Tx } from '#ground/db/database.ts'
import { withoutDeadline } from '#ground/db/deadline.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { readJob } from '#records/agent-jobs/read-jobs.ts'
import type { JobsCtx, JobsHere } from '#records/agent-jobs/jobs-ctx.ts'
import type { Actor } from '#ground/identity/actor.ts'
import { listJobEvents } from '#records/agent-jobs/agent-jobs.history.ts'
import {
  countJobChange,
  isJob,
  type JobKey,
  locateJob,
  jobNotFollowedError,
  type RequestedJob,
  recordJobEvents,
} from '#records/agent-jobs/agent-jobs.rows.ts'
import {
  afterAnswer,
  type AgentJobRow,
  deriveMeaning,
  selectWritableColumns,
} from '#records/agent-jobs/agent-jobs.state.ts'
import { agentJobs } from '#records/agent-jobs/agent-jobs.table.ts'
import { refuseActions } from './job-actions.ts'

const actions = {
  cancel: { operation: 'cancelAgentJob', event: 'cancel_requested' },
  archive: { operation: 'archiveAgentJob', event: 'archive_requested' },
} as const

type Action = keyof typeof actions

const lockFollowedJob = async (tx: Tx, key: JobKey): Promise<AgentJobRow> => {
  const which = and(isJob(key), isNull(agentJobs.removedAt))
  const [row] = await tx.select().from(agentJobs).where(which).for('update')
  if (row === undefined) throw jobNotFollowedError()
  return row
}

const writeActionIntent = (
  { db, now }: JobsCtx,
  { polling, abilities }: JobsHere,
  key: JobKey,
  { action, by }: { action: Action; by: Actor },
) =>
  db.transaction(async (tx) => {
    const row = await lockFollowedJob(tx, key)
    const reason = refuseActions(row, deriveMeaning(row, now()), abilities)[action]
    if (reason !== null) throw new AppError('conflict', reason)
    // Read the job again, whatever the outcome of the call.
    await tx
      .update(agentJobs)
      .set({ nextCheckAt: new Date(now() + polling.lease.leaseMs) })
      .where(isJob(key))
    await recordJobEvents(tx, key, [{ kind: actions[action].event, at: new Date(now()), by }])
    return polling.limiter.grant(tx, actions[action].operation)
  })

const storeActionAnswer = ({ db, now }: JobsCtx, { polling }: JobsHere, key: JobKey, snapshot: AgentJobSnapshot) =>
  db.transaction(async (tx) => {
    const row = await lockFollowedJob(tx, key)
    const after = afterAnswer(row, snapshot, { now: now(), schedule: polling.schedule })
    // A read in progress loses its lease, so it cannot write its older answer.
    await tx
      .update(agentJobs)
      .set({ ...selectWritableColumns(after), leaseOwner: null, leaseUntil: null })
      .where(isJob(key))
    await countJobChange(tx, key)
    await recordJobEvents(tx, key, listJobEvents(row, after, { now: now(), runningSince: now() }))
  })

const storeActionFailure = ({ db, now }: JobsCtx, key: JobKey, { message }: AdminApiError) =>
  db.transaction(async (tx) => {
    const at = new Date(now())
    await tx.update(agentJobs).set({ nextCheckAt: at }).where(isJob(key))
    await recordJobEvents(tx, key, [{ kind: 'action_failed', at, to: message }])
  })

/** Makes one call and never repeats it. Throws `conflict` with the reason when the action is not possible, or `upstream_*`. */
const createJobAction = (action: Action) => async (ctx: JobsCtx, job: RequestedJob, by: Actor) => {
  const key = await locateJob(ctx.db, job)
  const { jobs: here } = ctx.connections.open(key.connectionId)
  const ask = async () => {
    await here.polling.schedule.refresh()
    const granted = await writeActionIntent(ctx, here, key, { action, by })
    // The outcome is written even if the caller disconnects in the meantime.
    await withoutDeadline(async () => {
      try {
        await storeActionAnswer(ctx, here, key, await granted.call(() => here.adminApi[actions[action].operation](key)))
      } catch (error) {
        if (error instanceof AdminApiError) await storeActionFailure(ctx, key, error)
        throw error
      }
    })
  }
  // A failed call makes the job due for a read.
  await ask().finally(here.watcher.wake)
  return readJob(ctx, key)
}

export const cancelJob = createJobAction('cancel')
export const archiveJob = createJobAction('archive')
