import type { AgentJobSnapshot } from '#service/admin-api/admin-api.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { readJob } from '#records/agent-jobs/read-jobs.ts'
import { recordActions } from '#records/change-record.ts'
import type { JobsCtx, JobsHere } from '#records/agent-jobs/jobs-ctx.ts'
import type { Actor } from '#ground/identity/identity.ts'
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
import { afterAnswer, deriveMeaning, selectWritableColumns } from '#records/agent-jobs/agent-jobs.state.ts'
import { agentJobs } from '#records/agent-jobs/agent-jobs.table.ts'
import { refuseActions } from './job-actions.ts'

const actions = {
  cancel: { operation: 'cancelAgentJob', event: 'cancel_requested' },
  archive: { operation: 'archiveAgentJob', event: 'archive_requested' },
} as const

const { lock, act } = recordActions({
  table: agentJobs,
  isRecord: isJob,
  notListedError: jobNotFollowedError,
  recordEvents: recordJobEvents,
})

const storeActionAnswer = ({ db, now }: JobsCtx, { polling }: JobsHere, key: JobKey, snapshot: AgentJobSnapshot) =>
  db.transaction(async (tx) => {
    const row = await lock(tx, key)
    const after = afterAnswer(row, snapshot, { now: now(), schedule: polling.schedule })
    // A read in progress loses its lease, so it cannot write its older answer.
    await tx
      .update(agentJobs)
      .set({ ...selectWritableColumns(after), leaseOwner: null, leaseUntil: null })
      .where(isJob(key))
    await countJobChange(tx, key)
    await recordJobEvents(tx, key, listJobEvents(row, after, { now: now(), runningSince: now() }))
  })

/** Throws `conflict` with the reason when the action is not possible, and as `act` does. */
const createJobAction = (action: keyof typeof actions) => async (ctx: JobsCtx, job: RequestedJob, by: Actor) => {
  const key = await locateJob(ctx.db, job)
  const { jobs: here } = ctx.connections.open(key.connectionId)
  const { operation, event } = actions[action]
  await act(ctx, here, key, {
    operation,
    event,
    by,
    refuse: (row) => {
      const reason = refuseActions(row, deriveMeaning(row, ctx.now()), here.abilities)[action]
      return reason === null ? null : new AppError('conflict', reason)
    },
    call: () => here.adminApi[operation](key),
    storeAnswer: (snapshot) => storeActionAnswer(ctx, here, key, snapshot),
  })
  return readJob(ctx, key)
}

export const cancelJob = createJobAction('cancel')
export const archiveJob = createJobAction('archive')
