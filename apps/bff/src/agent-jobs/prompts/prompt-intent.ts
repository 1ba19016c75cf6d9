import type { CreateAgentJob, SendAgentMessage } from '@docket/api-types/agent-prompts'
import type { AgentJobKey } from '@docket/api-types/agent-jobs'
import { sql } from 'drizzle-orm'
import { recordJobEvents } from '#agent-jobs/agent-jobs.reader.ts'
import { recordAudit } from '#audit/audit.ts'
import type { Actor } from '#identity/actor.ts'
import type { Database, Tx } from '#db/database.ts'
import { bumpRevision } from '#db/revision.ts'
import { AppError } from '#errors/app-error.ts'
import type { Permit } from '#rate-limit/limiter.ts'
import { agentPrompts } from './agent-prompts.table.ts'
import { isPrompt, noSuchPrompt, type AgentPromptRow } from './prompt-view.ts'

/** What somebody wants to send: a prompt for a new job, or for the job `to`. */
export type PromptIntent =
  | { kind: 'creation'; request: CreateAgentJob; by: Actor }
  | { kind: 'message'; request: SendAgentMessage; to: AgentJobKey; by: Actor }

/** A job is named when the prompt is for one; a creation gets its job later. */
const isSame = (row: AgentPromptRow, intent: PromptIntent): boolean => {
  if (row.kind !== intent.kind || row.prompt !== intent.request.prompt) return false
  return intent.kind === 'creation'
    ? row.projectId === intent.request.projectId
    : row.projectId === intent.to.projectId && row.jobId === intent.to.id
}

const sameRequest = async (tx: Tx, intent: PromptIntent): Promise<AgentPromptRow | undefined> => {
  const [row] = await tx.select().from(agentPrompts).where(isPrompt(intent.request.requestId))
  if (row !== undefined && !isSame(row, intent))
    throw new AppError('invalid_request', 'This request was already made with other words. Reload the page.', {
      field: 'requestId',
    })
  return row
}

/** Refuses unless this creation may still be decided about: its outcome is unknown, and nothing took its place. */
export const refuseUnlessOpen = (row: AgentPromptRow | undefined): AgentPromptRow => {
  if (row === undefined || row.kind !== 'creation' || row.forgottenAt !== null) throw noSuchPrompt()
  if (row.replacedBy !== null) throw new AppError('conflict', 'The job was already asked for again.')
  if (row.state !== 'unknown')
    throw new AppError('conflict', 'What became of this request is known by now. Reload the page.')
  return row
}

const replaceable = async (tx: Tx, { replaces, projectId }: CreateAgentJob): Promise<void> => {
  if (replaces === undefined) return
  const [old] = await tx.select().from(agentPrompts).where(isPrompt(replaces)).for('update')
  if (refuseUnlessOpen(old).projectId !== projectId)
    throw new AppError('invalid_request', 'The request to repeat is for another project.', { field: 'replaces' })
}

/** Who asked for what, without what the prompt says: it may be confidential. */
const recordIntent = async (tx: Tx, intent: PromptIntent, at: Date): Promise<void> => {
  const { by, request } = intent
  const characters = request.prompt.length
  if (intent.kind === 'message')
    return recordJobEvents(tx, intent.to, [{ kind: 'message_sent', at, by, to: String(characters) }])
  const target = { type: 'agent_job', name: intent.request.projectId }
  return recordAudit(tx, by, { action: 'agent_job.requested', at, target, details: { characters } })
}

/**
 * Writes the intent of a prompt, committed before any call is made. Requests with the same id wait for each other here. `permit` is
 * null when this request wrote its intent before: then the call is somebody else's. When `takePermit` refuses, nothing was written.
 */
export const writePromptIntent = (
  db: Database,
  intent: PromptIntent,
  {
    takePermit,
    ...first
  }: { sentAt: Date; leaseOwner: string; leaseUntil: Date; takePermit: (tx: Tx) => Promise<Permit> },
): Promise<{ row: AgentPromptRow; permit: Permit | null }> =>
  db.transaction(async (tx) => {
    const { kind, request, by } = intent
    const lock = `agent prompt ${request.requestId}`
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`)
    const seen = await sameRequest(tx, intent)
    if (seen !== undefined) return { row: seen, permit: null }
    if (intent.kind === 'creation') await replaceable(tx, intent.request)
    const [row] = await tx
      .insert(agentPrompts)
      .values({
        ...first,
        requestId: request.requestId,
        kind,
        projectId: intent.kind === 'creation' ? intent.request.projectId : intent.to.projectId,
        jobId: intent.kind === 'creation' ? null : intent.to.id,
        prompt: request.prompt,
        state: 'sending',
        sentBy: by.name,
      })
      .returning()
    if (intent.kind === 'creation' && intent.request.replaces !== undefined)
      await tx.update(agentPrompts).set({ replacedBy: request.requestId }).where(isPrompt(intent.request.replaces))
    await bumpRevision(tx, 'agent_jobs')
    await recordIntent(tx, intent, first.sentAt)
    // Last, because everybody who makes a call waits for the budget.
    return { row: row!, permit: await takePermit(tx) }
  })
