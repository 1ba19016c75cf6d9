import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import type { JobsCtx } from '#records/agent-jobs/jobs-ctx.ts'
import {
  addPromptToJob,
  findListedJob,
  insertJob,
  createUnreadJobRow,
  recordJobEvents,
} from '#records/agent-jobs/agent-jobs.rows.ts'
import { afterAnswer, addAcceptedPrompt } from '#records/agent-jobs/agent-jobs.state.ts'
import { recordAudit } from '#ground/audit/audit.ts'
import type { Actor } from '#ground/identity/identity.ts'
import { ensureOperates, isWithin, type TokenScope } from '#ground/http/access/token-scope.ts'
import type { Tx } from '#ground/db/database.ts'
import { bumpRevision } from '#ground/db/revision.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { agentPrompts } from './agent-prompts.table.ts'
import { readPrompt } from './read-prompts.ts'
import { isPrompt, noSuchPromptError, requireOpenCreation, type AgentPromptRow } from './agent-prompts.state.ts'

const lockPrompt = async (tx: Tx, requestId: string): Promise<AgentPromptRow | undefined> => {
  const [row] = await tx.select().from(agentPrompts).where(isPrompt(requestId)).for('update')
  return row
}

const refuseTakenJob = async (tx: Tx, { connectionId, projectId }: AgentPromptRow, id: string): Promise<void> => {
  const created = eq(agentPrompts.kind, 'creation')
  const ofProject = and(eq(agentPrompts.connectionId, connectionId), eq(agentPrompts.projectId, projectId))
  const ofJob = and(ofProject, eq(agentPrompts.jobId, id), created)
  const [other] = await tx.select({ sentBy: agentPrompts.sentBy }).from(agentPrompts).where(ofJob)
  if (other !== undefined)
    throw new AppError('conflict', `Another request, by ${other.sentBy}, created this job. It’s on the list.`, {
      field: 'id',
    })
}

const requirePromptInScope = async ({ db }: JobsCtx, requestId: string, scope: TokenScope): Promise<AgentPromptRow> => {
  const { projectIds, connectionIds } = scope
  const [row] = await db.select().from(agentPrompts).where(isPrompt(requestId))
  if (row === undefined || !isWithin(projectIds, row.projectId) || !isWithin(connectionIds, row.connectionId))
    throw noSuchPromptError()
  ensureOperates(scope, row.connectionId)
  return row
}

const setPromptForgotten = ({ db, now }: JobsCtx, requestId: string, forgotten: boolean, by: Actor) =>
  db.transaction(async (tx) => {
    const at = new Date(now())
    const which = and(
      isPrompt(requestId),
      eq(agentPrompts.kind, 'creation'),
      eq(agentPrompts.state, 'unknown'),
      forgotten ? isNull(agentPrompts.forgottenAt) : isNotNull(agentPrompts.forgottenAt),
    )
    const [row] = await tx
      .update(agentPrompts)
      .set({ forgottenAt: forgotten ? at : null })
      .where(which)
      .returning()
    if (row === undefined) {
      const known = await lockPrompt(tx, requestId)
      if (known?.kind === 'creation' && known.state === 'unknown') return
      throw new AppError('conflict', 'This request’s outcome is known now. Reload the page.')
    }
    await bumpRevision(tx, 'agent_jobs')
    const action = forgotten ? 'agent_job.request_forgotten' : 'agent_job.request_restored'
    await recordAudit(tx, by, { action, at, target: { type: 'agent_job', name: row.projectId } })
  })

/** Idempotent. Like the others here, throws `not_found` outside the scope and `conflict` for any other prompt. */
export const forgetPrompt = async (ctx: JobsCtx, requestId: string, by: Actor, scope: TokenScope): Promise<void> => {
  await requirePromptInScope(ctx, requestId, scope)
  await setPromptForgotten(ctx, requestId, true, by)
}

export const restorePrompt = async (ctx: JobsCtx, requestId: string, by: Actor, scope: TokenScope) => {
  await requirePromptInScope(ctx, requestId, scope)
  await setPromptForgotten(ctx, requestId, false, by)
  return readPrompt(ctx, requestId)
}

/** Reads the job first. Throws `upstream_*` when the read fails. */
export const attachJob = async (
  ctx: JobsCtx,
  { requestId, id }: { requestId: string; id: string },
  by: Actor,
  scope: TokenScope,
) => {
  const { db, now } = ctx
  const found = await requirePromptInScope(ctx, requestId, scope)
  const { connectionId, projectId } = found
  const { adminApi, watcher, polling } = ctx.connections.open(connectionId).jobs
  const { schedule } = polling
  requireOpenCreation(found)
  const key = { connectionId, projectId, id }
  const known = await findListedJob(db, key)
  await schedule.refresh()
  const snapshot = known === undefined ? await polling.limiter.call(() => adminApi.getAgentJob(key)) : null
  await db.transaction(async (tx) => {
    const row = requireOpenCreation(await lockPrompt(tx, requestId))
    await refuseTakenJob(tx, row, id)
    const at = new Date(now())
    await tx
      .update(agentPrompts)
      .set({ state: 'accepted', jobId: id, reason: null, code: null, answeredAt: at })
      .where(isPrompt(requestId))
    const clock = { now: at.getTime(), schedule }
    const job = snapshot && afterAnswer(addAcceptedPrompt(createUnreadJobRow(key, at), row), snapshot, clock)
    const isNew = job !== null && (await insertJob(tx, job))
    if (!isNew) await addPromptToJob(tx, key, row)
    await recordJobEvents(tx, key, [
      ...(isNew ? [{ kind: 'followed', at, by, to: job.status } as const] : []),
      { kind: 'attached', at, by, to: id },
    ])
  })
  watcher.wake()
  return readPrompt(ctx, requestId)
}
