import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import type { AdminApi } from '#service/admin-api/admin-api.ts'
import { addPrompt, findListed, insertJob, newJobRow, recordJobEvents } from '#records/agent-jobs/agent-jobs.rows.ts'
import { afterAnswer, withPrompt } from '#records/agent-jobs/agent-jobs.state.ts'
import { recordAudit } from '#ground/audit/audit.ts'
import type { Actor } from '#ground/identity/actor.ts'
import type { Database, Tx } from '#ground/db/database.ts'
import { bumpRevision } from '#ground/db/revision.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { Polling } from '#service/polling/polling.ts'
import { agentPrompts } from './agent-prompts.table.ts'
import { refuseUnlessOpen } from './send-prompt.ts'
import { isPrompt, type AgentPromptRow } from './agent-prompts.state.ts'

const locked = async (tx: Tx, requestId: string): Promise<AgentPromptRow | undefined> => {
  const [row] = await tx.select().from(agentPrompts).where(isPrompt(requestId)).for('update')
  return row
}

const refuseTaken = async (tx: Tx, { connectionId, projectId }: AgentPromptRow, id: string): Promise<void> => {
  const created = eq(agentPrompts.kind, 'creation')
  const ofProject = and(eq(agentPrompts.connectionId, connectionId), eq(agentPrompts.projectId, projectId))
  const ofJob = and(ofProject, eq(agentPrompts.jobId, id), created)
  const [other] = await tx.select({ sentBy: agentPrompts.sentBy }).from(agentPrompts).where(ofJob)
  if (other !== undefined)
    throw new AppError('conflict', `Another request, by ${other.sentBy}, created this job. It’s on the list.`, {
      field: 'id',
    })
}

const setForgotten = (deps: { db: Database; now: () => number }, requestId: string, forgotten: boolean, by: Actor) =>
  deps.db.transaction(async (tx) => {
    const at = new Date(deps.now())
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
      const now = await locked(tx, requestId)
      if (now?.kind === 'creation' && now.state === 'unknown') return
      throw new AppError('conflict', 'This request’s outcome is known now. Reload the page.')
    }
    await bumpRevision(tx, 'agent_jobs')
    const action = forgotten ? 'agent_job.request_forgotten' : 'agent_job.request_restored'
    await recordAudit(tx, by, { action, at, target: { type: 'agent_job', name: row.projectId } })
  })

/** Takes a creation without an answer off the list, and puts it back. `not_found` and `conflict` for any other prompt. */
export const forgetPrompts = (deps: { db: Database; now: () => number }) => ({
  forget: (requestId: string, by: Actor) => setForgotten(deps, requestId, true, by),
  restore: (requestId: string, by: Actor) => setForgotten(deps, requestId, false, by),
})

/** What a person decides about a creation whose outcome is unknown. `not_found` and `conflict` for any other prompt. */
export const promptDecisions = (deps: { db: Database; adminApi: AdminApi; polling: Polling }) => {
  const { db, adminApi } = deps
  const { connectionId, limiter, now, schedule } = deps.polling

  return {
    /** Gives it the job `id`, which is read first and followed from then on. */
    attach: async (requestId: string, id: string, by: Actor) => {
      const [open] = await db.select().from(agentPrompts).where(isPrompt(requestId))
      const { projectId } = refuseUnlessOpen(open)
      const key = { connectionId, projectId, id }
      const known = await findListed(db, key)
      await schedule.refresh()
      const snapshot = known === undefined ? await limiter.call(() => adminApi.getAgentJob(key)) : null
      await db.transaction(async (tx) => {
        const row = refuseUnlessOpen(await locked(tx, requestId))
        await refuseTaken(tx, row, id)
        const at = new Date(now())
        await tx
          .update(agentPrompts)
          .set({ state: 'accepted', jobId: id, reason: null, code: null, answeredAt: at })
          .where(isPrompt(requestId))
        const clock = { now: at.getTime(), schedule }
        const job = snapshot && afterAnswer(withPrompt(newJobRow(key, at), row), snapshot, clock)
        const isNew = job !== null && (await insertJob(tx, job))
        if (!isNew) await addPrompt(tx, key, row)
        await recordJobEvents(tx, key, [
          ...(isNew ? [{ kind: 'followed', at, by, to: job.status } as const] : []),
          { kind: 'attached', at, by, to: id },
        ])
      })
    },
  }
}
