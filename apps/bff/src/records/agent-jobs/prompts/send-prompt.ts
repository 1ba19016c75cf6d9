import { isDeepStrictEqual } from 'node:util'
import { eq, sql } from 'drizzle-orm'
import type { CreateAgentJob, SendAgentMessage } from '@docket/api-types/agent-prompts'
import type { MaintenanceOrder } from '@docket/api-types/maintenance-orders'
import type { AdminApi } from '#service/admin-api/admin-api.ts'
import { AdminApiError } from '#ground/errors/admin-api-error.ts'
import { callsAtMostOnce } from '#service/admin-api/at-most-once.ts'
import { type JobKey, recordJobEvents } from '#records/agent-jobs/agent-jobs.rows.ts'
import { recordAudit } from '#ground/audit/audit.ts'
import type { Database, Tx } from '#ground/db/database.ts'
import { bumpRevision } from '#ground/db/revision.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { Actor } from '#ground/identity/actor.ts'
import type { Log } from '#ground/log/log.ts'
import type { Polling } from '#service/polling/polling.ts'
import type { GrantedCall } from '#service/rate-limit/limiter.ts'
import { type AgentPromptRow, isPrompt, noSuchPrompt } from './agent-prompts.state.ts'
import { agentPrompts } from './agent-prompts.table.ts'
import { keepPromptOutcome, type PromptOutcome } from './prompt-outcome.ts'

/** A prompt, and the maintenance order that it tells in words, if it does. */
type Asked = { prompt: string; maintenance?: MaintenanceOrder | null | undefined }

type Creation = Omit<CreateAgentJob, keyof Asked> & Asked

/** A prompt for a new job, or for the existing job `to`. */
export type PromptIntent =
  | { kind: 'creation'; request: Creation; by: Actor }
  | { kind: 'message'; request: SendAgentMessage & Asked; to: JobKey; by: Actor; isRetry: boolean }

/** True when the row belongs to the same request. A creation has no job yet. */
const isSame = (row: AgentPromptRow, intent: PromptIntent): boolean => {
  const { prompt, maintenance = null } = intent.request
  if (row.kind !== intent.kind || row.prompt !== prompt || !isDeepStrictEqual(row.maintenance, maintenance))
    return false
  return intent.kind === 'creation'
    ? row.projectId === intent.request.projectId
    : row.projectId === intent.to.projectId && row.jobId === intent.to.id
}

const findSameRequest = async (
  tx: Tx,
  intent: PromptIntent,
  connectionId: string,
): Promise<AgentPromptRow | undefined> => {
  const [row] = await tx.select().from(agentPrompts).where(isPrompt(intent.request.requestId))
  if (row !== undefined && (row.connectionId !== connectionId || !isSame(row, intent)))
    throw new AppError('invalid_request', 'This request was already sent with a different prompt. Reload the page.', {
      field: 'requestId',
    })
  return row
}

/** Throws unless this creation is open for a decision: its outcome is unknown, and no other request replaced it. */
export const refuseUnlessOpen = (row: AgentPromptRow | undefined): AgentPromptRow => {
  if (row === undefined || row.kind !== 'creation' || row.forgottenAt !== null) throw noSuchPrompt()
  if (row.replacedBy !== null) throw new AppError('conflict', 'This job was already requested again.')
  if (row.state !== 'unknown') throw new AppError('conflict', 'This request’s outcome is known now. Reload the page.')
  return row
}

const checkReplaces = async (tx: Tx, { replaces, projectId }: Creation, connectionId: string): Promise<void> => {
  if (replaces === undefined) return
  const [old] = await tx.select().from(agentPrompts).where(isPrompt(replaces)).for('update')
  const { connectionId: oldConnection, projectId: oldProject } = refuseUnlessOpen(old)
  if (oldProject !== projectId || oldConnection !== connectionId)
    throw new AppError('invalid_request', 'The request to repeat is for another project.', { field: 'replaces' })
}

/** Records the sender and the target in the audit, without the text of the prompt, which may be confidential. */
const recordIntent = async (tx: Tx, intent: PromptIntent, at: Date): Promise<void> => {
  const { by, request } = intent
  const characters = request.prompt.length
  if (intent.kind === 'message')
    return recordJobEvents(tx, intent.to, [
      { kind: intent.isRetry ? 'retried' : 'message_sent', at, by, to: String(characters) },
    ])
  const target = { type: 'agent_job', name: intent.request.projectId }
  return recordAudit(tx, by, { action: 'agent_job.requested', at, target, details: { characters } })
}

/**
 * Writes the intent of a prompt, committed before the call. Requests with the same id wait for each other. `granted` is
 * null when the same request wrote its intent earlier, because that request makes the call. Writes nothing when
 * `takePermit` refuses.
 */
export const writePromptIntent = (
  db: Database,
  intent: PromptIntent,
  {
    grantCall,
    ...first
  }: {
    connectionId: string
    sentAt: Date
    leaseOwner: string
    leaseUntil: Date
    grantCall: (tx: Tx) => Promise<GrantedCall>
  },
): Promise<{ row: AgentPromptRow; granted: GrantedCall | null }> =>
  db.transaction(async (tx) => {
    const { kind, request, by } = intent
    const lock = `agent prompt ${request.requestId}`
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`)
    const earlier = await findSameRequest(tx, intent, first.connectionId)
    if (earlier !== undefined) return { row: earlier, granted: null }
    if (intent.kind === 'creation') await checkReplaces(tx, intent.request, first.connectionId)
    const [row] = await tx
      .insert(agentPrompts)
      .values({
        ...first,
        requestId: request.requestId,
        kind,
        projectId: intent.kind === 'creation' ? intent.request.projectId : intent.to.projectId,
        jobId: intent.kind === 'creation' ? null : intent.to.id,
        prompt: request.prompt,
        maintenance: request.maintenance ?? null,
        state: 'sending',
        sentBy: by.name,
      })
      .returning()
    if (intent.kind === 'creation' && intent.request.replaces !== undefined)
      await tx.update(agentPrompts).set({ replacedBy: request.requestId }).where(isPrompt(intent.request.replaces))
    await bumpRevision(tx, 'agent_jobs')
    await recordIntent(tx, intent, first.sentAt)
    // Last, because every other call waits for the lock on the budget.
    return { row: row!, granted: await grantCall(tx) }
  })

/**
 * Sends prompts, each intent at most once. `polling` has the limiter of prompts. A lease is longer than a call, so a call without an answer
 * by then never gets one.
 */
export const promptSender = (deps: {
  db: Database
  adminApi: AdminApi
  polling: Polling
  log: Log
  /** Called when a job became due. */
  wake: () => void
}) => {
  const { db, adminApi, log, wake } = deps
  const { connectionId, limiter, lease, now, schedule, embedded } = deps.polling

  const ask = ({ projectId, jobId, prompt, maintenance }: AgentPromptRow, { name, email }: Actor) => {
    // No other service learns who asked.
    const requester = embedded && { requestedBy: { name, email: email ?? null } }
    const request = { projectId, prompt, ...(maintenance && { maintenance }), ...requester }
    return jobId === null
      ? adminApi.createAgentJob(request)
      : adminApi.sendAgentMessage({ ...request, id: jobId }).then((snapshot) => ({ ...snapshot, id: jobId }))
  }

  const call = async (row: AgentPromptRow, by: Actor, granted: GrantedCall): Promise<PromptOutcome> => {
    try {
      const { id, ...snapshot } = await granted.call(() => ask(row, by))
      return { state: 'accepted', jobId: id, snapshot }
    } catch (error) {
      if (!(error instanceof AdminApiError)) {
        log.error({ err: error, requestId: row.requestId }, 'a prompt ended in an unforeseen way')
        return { state: 'unknown', error: null }
      }
      return { state: error.effect === 'none' ? 'refused' : 'unknown', error }
    }
  }

  const calls = callsAtMostOnce<{ row: AgentPromptRow; by: Actor; outcome: PromptOutcome }>({
    what: 'a prompt',
    write: ({ row, by, outcome }) =>
      db.transaction((tx) => keepPromptOutcome(tx, row.requestId, outcome, { by, clock: { now: now(), schedule } })),
    isOpen: async (requestId) => {
      const [row] = await db
        .select({ state: agentPrompts.state })
        .from(agentPrompts)
        .where(eq(agentPrompts.requestId, requestId))
      return row?.state === 'sending'
    },
    wake,
    log,
  })

  return {
    /**
     * Writes the intent, makes the call, and waits up to `waitMs` for its answer. Returns the intent. A repeated `requestId` calls nothing.
     * Rejects with `invalid_request`, `not_found`, `conflict` or `too_many_requests` before anything is written or called.
     */
    send: async (intent: PromptIntent, waitMs: number) => {
      await schedule.refresh()
      const { row, granted } = await writePromptIntent(db, intent, {
        connectionId,
        sentAt: new Date(now()),
        leaseOwner: `${lease.owner}/prompt`,
        leaseUntil: new Date(now() + lease.leaseMs),
        grantCall: (tx) => limiter.grant(tx, intent.kind === 'creation' ? 'createAgentJob' : 'sendAgentMessage'),
      })
      const { by } = intent
      if (granted !== null)
        calls.launch(row.requestId, async () => ({ row, by, outcome: await call(row, by, granted) }))
      await calls.answered(row.requestId, waitMs)
      return row
    },
    /** Waits for the calls under way. */
    settled: calls.settled,
  }
}
