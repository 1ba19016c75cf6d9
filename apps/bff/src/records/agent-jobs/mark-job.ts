import { and, isNull } from 'drizzle-orm'
import type { Actor } from '#ground/identity/identity.ts'
import type { JobsCtx } from '#records/agent-jobs/jobs-ctx.ts'
import { readJob } from './read-jobs.ts'
import type { Tx } from '#ground/db/database.ts'
import { recordMarks, type Treatment, treatStatus } from '#records/change-record.ts'
import {
  countJobChange,
  isJob,
  type JobKey,
  locateJob,
  recordJobEvents,
  requireFollowedJob,
  type RequestedJob,
} from './agent-jobs.rows.ts'
import { type AgentJobRow, deriveMeaning } from './agent-jobs.state.ts'
import { agentJobs } from './agent-jobs.table.ts'

const marks = recordMarks({
  table: agentJobs,
  isRecord: isJob,
  countChange: countJobChange,
  recordEvents: recordJobEvents,
})

/** Clears the dismissal of a missing job that is found again without other trouble, so that a second loss isn't dismissed. */
export const forgetDismissedAbsence = async (tx: Tx, before: AgentJobRow, after: AgentJobRow): Promise<void> => {
  if (before.goneAt === null || after.goneAt !== null) return
  await tx
    .update(agentJobs)
    .set({ settledTrouble: null })
    .where(and(isJob(after), isNull(agentJobs.troubledAt)))
}

const markRequested =
  <Mark>(write: (ctx: JobsCtx, key: JobKey, mark: Mark) => Promise<void>) =>
  async (ctx: JobsCtx, job: RequestedJob, mark: Mark) => {
    const key = await locateJob(ctx.db, job)
    await write(ctx, key, mark)
    return readJob(ctx, key)
  }

/** Idempotent. */
export const dismissJob = markRequested(marks.dismiss)

export const undoDismissal = markRequested(({ db, now }, key, by: Actor) =>
  db.transaction((tx) => marks.undoDismissal(tx, key, { at: new Date(now()), by })),
)

export const noteJob = markRequested(marks.note)

/** Throws as `treatStatus` does. */
export const treatJobStatus = markRequested(async (ctx, key, treatment: Treatment) => {
  const { readNow } = ctx.connections.open(key.connectionId).jobs
  const row = await requireFollowedJob(ctx.db, key)
  await treatStatus(
    ctx,
    { ...row, ...treatment, isOpen: deriveMeaning(row, ctx.now()) === 'unrecognised' },
    { recordEvents: (tx, said) => recordJobEvents(tx, key, said), read: () => readNow(key, null) },
  )
})
