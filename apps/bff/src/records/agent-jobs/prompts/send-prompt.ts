import { isDeepStrictEqual } from 'node:util'
import { and, desc, eq, or } from 'drizzle-orm'
import type { z } from 'zod'
import type { CreateAgentJob, RetryAgentJob, SendAgentMessage, SentAgentPrompt } from '@docket/api-types/agent-prompts'
import type { MaintenanceOrder } from '@docket/api-types/maintenance-orders'
import { readJob } from '#records/agent-jobs/read-jobs.ts'
import type { JobsCtx, JobsHere, PromptsHere } from '#records/agent-jobs/jobs-ctx.ts'
import { AdminApiError, AppError, refusedFieldError } from '#ground/errors/app-error.ts'
import { callsAtMostOnce } from '#service/admin-api/at-most-once.ts'
import {
  requireFollowedJob,
  type JobKey,
  locateJob,
  recordJobEvents,
  type RequestedJob,
} from '#records/agent-jobs/agent-jobs.rows.ts'
import { recordAudit } from '#ground/audit/audit.ts'
import { type Database, type Tx, takeTurn } from '#ground/db/database.ts'
import { bumpRevision } from '#ground/db/revision.ts'
import type { Actor } from '#ground/identity/identity.ts'
import type { Ctx } from '#ground/ctx.ts'
import { isDatabaseUnavailable } from '#ground/db/unavailable.ts'
import { isWithin, type TokenScope } from '#ground/http/access/token-scope.ts'
import type { CallLimiter, GrantedCall } from '#service/rate-limit/limiter.ts'
import {
  type AgentPromptRow,
  belongsToJob,
  isPrompt,
  requireOpenCreation,
  toAgentPrompt,
} from './agent-prompts.state.ts'
import { agentPrompts } from './agent-prompts.table.ts'
import { readPrompt } from './read-prompts.ts'
import { storePromptOutcome, type PromptOutcome } from './prompt-outcome.ts'

type Asked = { prompt: string; maintenance?: MaintenanceOrder | null | undefined }

type Creation = Omit<CreateAgentJob, keyof Asked> & Asked

type PromptIntent =
  | { kind: 'creation'; request: Creation; by: Actor }
  | { kind: 'message'; request: SendAgentMessage & Asked; to: JobKey; by: Actor; isRetry: boolean }

/** True when the row belongs to the same request. A creation has no job yet. */
const isSameRequest = (row: AgentPromptRow, intent: PromptIntent): boolean => {
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
  if (row !== undefined && (row.connectionId !== connectionId || !isSameRequest(row, intent)))
    throw refusedFieldError('requestId', 'This request was already sent with a different prompt. Reload the page.')
  return row
}

const checkReplacedPrompt = async (tx: Tx, { replaces, projectId }: Creation, connectionId: string): Promise<void> => {
  if (replaces === undefined) return
  const [old] = await tx.select().from(agentPrompts).where(isPrompt(replaces)).for('update')
  const { connectionId: oldConnection, projectId: oldProject } = requireOpenCreation(old)
  if (oldProject !== projectId || oldConnection !== connectionId)
    throw refusedFieldError('replaces', 'The request to repeat is for another project.')
}

/** Records the caller and the target in the audit, without the text of the prompt, which may be confidential. */
const auditPromptIntent = async (tx: Tx, intent: PromptIntent, at: Date): Promise<void> => {
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
 * Runs in a transaction that is committed before the call. Requests with the same id wait for each other. `granted` is null when the same
 * request already wrote its intent, because that request makes the call. Writes nothing when `grantCall` refuses.
 */
const writePromptIntent = (
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
    await takeTurn(tx, `agent prompt ${request.requestId}`)
    const earlier = await findSameRequest(tx, intent, first.connectionId)
    if (earlier !== undefined) return { row: earlier, granted: null }
    if (intent.kind === 'creation') await checkReplacedPrompt(tx, intent.request, first.connectionId)
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
    await auditPromptIntent(tx, intent, first.sentAt)
    // This comes last, because every other call waits for the lock on the budget.
    return { row: row!, granted: await grantCall(tx) }
  })

const callAdminApi = ({ adminApi, polling }: JobsHere, row: AgentPromptRow, { name, email }: Actor) => {
  const { projectId, jobId, prompt, maintenance } = row
  // Only the embedded service receives the identity of the caller.
  const requester = polling.embedded && { requestedBy: { name, email: email ?? null } }
  const request = { projectId, prompt, ...(maintenance && { maintenance }), ...requester }
  return jobId === null
    ? adminApi.createAgentJob(request)
    : adminApi.sendAgentMessage({ ...request, id: jobId }).then((snapshot) => ({ ...snapshot, id: jobId }))
}

const sendAndClassifyOutcome = async (
  { log }: JobsCtx,
  here: JobsHere,
  { row, by, granted }: { row: AgentPromptRow; by: Actor; granted: GrantedCall },
): Promise<PromptOutcome> => {
  try {
    const { id, ...snapshot } = await granted.call(() => callAdminApi(here, row, by))
    return { state: 'accepted', jobId: id, snapshot }
  } catch (error) {
    if (!(error instanceof AdminApiError)) {
      log.error({ err: error, requestId: row.requestId }, 'a prompt ended in an unforeseen way')
      return { state: 'unknown', error: null }
    }
    return { state: error.effect === 'none' ? 'refused' : 'unknown', error }
  }
}

export const openPromptsAt = ({
  db,
  log,
  limiter,
  jobs: { polling, watcher },
}: Ctx & { limiter: CallLimiter; jobs: JobsHere }): PromptsHere => ({
  limiter,
  calls: callsAtMostOnce({
    what: 'a prompt',
    write: ({ row, by, outcome }) =>
      db.transaction((tx) =>
        storePromptOutcome(tx, row.requestId, outcome, {
          by,
          clock: { now: polling.now(), schedule: polling.schedule },
        }),
      ),
    isOpen: async (requestId) => {
      const [row] = await db.select({ state: agentPrompts.state }).from(agentPrompts).where(isPrompt(requestId))
      return row?.state === 'sending'
    },
    wake: watcher.wake,
    log,
  }),
})

const answerMs = 15_000

const promptsNotAllowedError = () =>
  new AppError(
    'forbidden',
    'New agent jobs and follow-ups are off for this connection. An admin can allow them in Settings › Connections, or with AGENT_JOB_CREATION.',
  )

/**
 * Sends a prompt, at most once per `requestId`: a repeated request makes no call. Waits some time for the answer. Throws `forbidden` where
 * the operator does not allow it, `invalid_request`, `not_found`, `conflict` or `too_many_requests` before anything is written or called.
 */
const sendPrompt = async (ctx: JobsCtx, connectionId: string, intent: PromptIntent): Promise<SentAgentPrompt> => {
  const { db, now } = ctx
  const { jobs: here, prompts } = ctx.connections.open(connectionId)
  const { lease, schedule } = here.polling
  if (!here.abilities.promptsAllowed) throw promptsNotAllowedError()
  await schedule.refresh()
  // A lease is longer than a call, so a call without an answer by its end never gets one.
  const { row, granted } = await writePromptIntent(db, intent, {
    connectionId,
    sentAt: new Date(now()),
    leaseOwner: `${lease.owner}/prompt`,
    leaseUntil: new Date(now() + lease.leaseMs),
    grantCall: (tx) => prompts.limiter.grant(tx, intent.kind === 'creation' ? 'createAgentJob' : 'sendAgentMessage'),
  })
  const { by } = intent
  if (granted !== null)
    prompts.calls.launch(row.requestId, async () => ({
      row,
      by,
      outcome: await sendAndClassifyOutcome(ctx, here, { row, by, granted }),
    }))
  await prompts.calls.answered(row.requestId, answerMs)
  return readPrompt(ctx, row.requestId).catch((error: unknown): SentAgentPrompt => {
    // The intent is committed. An error here would hide a prompt that may have been sent.
    if (isDatabaseUnavailable(error)) return { prompt: toAgentPrompt(row), job: null }
    throw error
  })
}

/** Throws `forbidden` for a project outside the scope, and as `sendPrompt` does. */
export const createJob = async (
  ctx: JobsCtx,
  { connectionId, ...request }: z.output<typeof CreateAgentJob>,
  by: Actor,
  scope: TokenScope,
) => {
  const { connections, describeOrder } = ctx
  const { maintenance, projectId } = request
  if (!isWithin(scope.projectIds, projectId))
    throw new AppError('forbidden', `This token may not create jobs of ${projectId}.`, { field: 'projectId' })
  const chosen = await connections.choose(connectionId, scope, { projectId })
  if (maintenance && (describeOrder === null || !connections.isEmbedded(chosen)))
    throw new AppError(
      'conflict',
      'Only this machine does maintenance. Choose it as the connection, or write a prompt.',
    )
  const prompt = maintenance ? describeOrder!(maintenance) : (request.prompt ?? '')
  return sendPrompt(ctx, chosen, { kind: 'creation', request: { ...request, prompt }, by })
}

/** Throws as `sendPrompt` does. */
export const sendMessage = async (ctx: JobsCtx, job: RequestedJob, request: SendAgentMessage, by: Actor) => {
  const to = await locateJob(ctx.db, job)
  await requireFollowedJob(ctx.db, to)
  return sendPrompt(ctx, to.connectionId, { kind: 'message', request, to, by, isRetry: false })
}

/** Throws `conflict` with the reason when a retry is not possible, and as `sendPrompt` does. */
export const retryJob = async (ctx: JobsCtx, job: RequestedJob, { requestId }: RetryAgentJob, by: Actor) => {
  const to = await locateJob(ctx.db, job)
  const { actions } = await readJob(ctx, to)
  // Take the prompt of this request, else the latest one that the service accepted.
  const [prompt] = await ctx.db
    .select()
    .from(agentPrompts)
    .where(and(belongsToJob(to), or(eq(agentPrompts.state, 'accepted'), isPrompt(requestId))))
    .orderBy(desc(isPrompt(requestId)), desc(agentPrompts.sentAt))
    .limit(1)
  const reason = actions?.retry ?? null
  // A repeated request finds its own prompt, and returns its outcome.
  if (prompt?.requestId !== requestId && reason !== null) throw new AppError('conflict', reason)
  if (prompt === undefined) throw new AppError('conflict', 'Docket doesn’t know the prompt of this job.')
  const request = { requestId, prompt: prompt.prompt, maintenance: prompt.maintenance }
  return sendPrompt(ctx, to.connectionId, { kind: 'message', request, to, by, isRetry: true })
}
