import type { AgentJob } from '@docket/api-types/agent-jobs'
import type { MaintenanceOrder } from '@docket/api-types/maintenance-orders'
import type {
  AgentPromptList,
  CreateAgentJob,
  RetryAgentJob,
  SendAgentMessage,
  SentAgentPrompt,
} from '@docket/api-types/agent-prompts'
import { and, desc, eq, isNull, or, sql } from 'drizzle-orm'
import type { z } from 'zod'
import {
  findFollowed,
  findListed,
  type JobKey,
  locateJob,
  type RequestedJob,
} from '#records/agent-jobs/agent-jobs.rows.ts'
import type { AgentJobService } from '#records/agent-jobs/agent-jobs.service.ts'
import type { PerConnection } from '#service/connections/per-connection.ts'
import type { Actor } from '#ground/identity/actor.ts'
import type { Database } from '#ground/db/database.ts'
import { within } from '#ground/db/list-queries.ts'
import { isDatabaseUnavailable } from '#ground/db/unavailable.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { ensureOperates, isWithin, type TokenScope } from '#ground/http/access/token-scope.ts'
import { idleSchedule } from '#service/polling/schedule.ts'
import { agentPrompts } from './agent-prompts.table.ts'
import { type AgentPromptRow, isPrompt, noSuchPrompt, toAgentPrompt } from './agent-prompts.state.ts'
import { forgetPrompts } from './decide-prompt.ts'
import type { PromptOperations } from './prompt-operations.ts'
import type { PromptIntent } from './send-prompt.ts'
import { endTimedOutPrompts } from './prompt-outcome.ts'

/** Prompts as of now, and when the next one times out (milliseconds since the epoch, or null). */
type Read = { value: AgentPromptList; until: number | null }

const maxListed = 20
const maxOfJob = 500

/** Builds the service. */
export const agentPromptService = (deps: {
  db: Database
  connections: PerConnection<PromptOperations>
  jobs: Pick<AgentJobService, 'get' | 'current'>
  /** A maintenance order in words. Null without an embedded service, the only one that does maintenance. */
  describeOrder: ((order: MaintenanceOrder) => string) | null
  /** Milliseconds since the epoch. */
  now: () => number
}) => {
  const { db, connections, jobs, describeOrder, now } = deps
  const decisions = forgetPrompts({ db, now })

  const present = async (row: AgentPromptRow): Promise<SentAgentPrompt> => {
    const { connectionId, projectId, jobId } = row
    const key = jobId === null ? null : { connectionId, projectId, id: jobId }
    const isFollowed = key !== null && (await findListed(db, key)) !== undefined
    const job: AgentJob | null = isFollowed ? await jobs.get({ ...key, connection: connectionId }) : null
    return { prompt: toAgentPrompt(row), job }
  }

  const send = async (connectionId: string, intent: PromptIntent) => {
    const prompt = await connections.open(connectionId).send(intent)
    const read = async () => {
      const [row] = await db.select().from(agentPrompts).where(isPrompt(prompt.requestId))
      return present(row!)
    }
    return read().catch((error: unknown): SentAgentPrompt => {
      // The intent is committed. An error here would deny a prompt that may have been sent.
      if (isDatabaseUnavailable(error)) return { prompt: toAgentPrompt(prompt), job: null }
      throw error
    })
  }

  const read = async (rows: () => Promise<AgentPromptRow[]>): Promise<Read> => {
    await endTimedOutPrompts(db, { now: now(), schedule: idleSchedule })
    const found = await rows()
    const ends = found.flatMap(({ state, leaseUntil }) =>
      state === 'sending' && leaseUntil !== null ? leaseUntil : [],
    )
    return {
      value: { prompts: found.map(toAgentPrompt) },
      until: ends.length === 0 ? null : Math.min(...ends.map((end) => end.getTime())),
    }
  }

  const isOfJob = ({ connectionId, projectId, id }: JobKey) =>
    and(eq(agentPrompts.connectionId, connectionId), eq(agentPrompts.projectId, projectId), eq(agentPrompts.jobId, id))

  /** The prompt of this request, else the latest one that the service accepted. */
  const findPrompt = async (job: JobKey, requestId: string): Promise<AgentPromptRow | undefined> => {
    const [row] = await db
      .select()
      .from(agentPrompts)
      .where(and(isOfJob(job), or(eq(agentPrompts.state, 'accepted'), isPrompt(requestId))))
      .orderBy(desc(isPrompt(requestId)), desc(agentPrompts.sentAt))
      .limit(1)
    return row
  }

  const findInScope = async (requestId: string, scope: TokenScope): Promise<AgentPromptRow> => {
    const { projectIds, connectionIds } = scope
    const [row] = await db.select().from(agentPrompts).where(isPrompt(requestId))
    if (row === undefined || !isWithin(projectIds, row.projectId) || !isWithin(connectionIds, row.connectionId))
      throw noSuchPrompt()
    ensureOperates(scope, row.connectionId)
    return row
  }

  return {
    create: async ({ connectionId, ...request }: z.output<typeof CreateAgentJob>, by: Actor, scope: TokenScope) => {
      if (!isWithin(scope.projectIds, request.projectId))
        throw new AppError('forbidden', `This token may not create jobs of ${request.projectId}.`, {
          field: 'projectId',
        })
      const { maintenance, projectId } = request
      const chosen = await connections.choose(connectionId, scope, { projectId })
      if (maintenance && (describeOrder === null || !connections.isEmbedded(chosen))) throw noMaintenance()
      const prompt = maintenance ? describeOrder!(maintenance) : (request.prompt ?? '')
      return send(chosen, { kind: 'creation', request: { ...request, prompt }, by })
    },
    message: async (job: RequestedJob, request: SendAgentMessage, by: Actor) => {
      const to = await locateJob(db, job)
      await findFollowed(db, to)
      return send(to.connectionId, { kind: 'message', request, to, by, isRetry: false })
    },
    /** Sends the latest prompt of a job again. `conflict` with the reason when that is not possible. */
    retry: async (job: RequestedJob, { requestId }: RetryAgentJob, by: Actor) => {
      const to = await locateJob(db, job)
      const { actions } = await jobs.get({ ...to, connection: to.connectionId })
      const prompt = await findPrompt(to, requestId)
      const reason = actions?.retry ?? null
      // A repeated request finds its own prompt, and learns what became of it.
      if (prompt?.requestId !== requestId && reason !== null) throw new AppError('conflict', reason)
      if (prompt === undefined) throw new AppError('conflict', 'Docket doesn’t know the prompt of this job.')
      const request = { requestId, prompt: prompt.prompt, maintenance: prompt.maintenance }
      return send(to.connectionId, { kind: 'message', request, to, by, isRetry: true })
    },
    /** Names the content of both lists. */
    current: jobs.current,
    /** Prompts of a followed job. */
    listOfJob: async (job: RequestedJob) => {
      const which = isOfJob(await findFollowed(db, await locateJob(db, job)))
      return read(async () => {
        const latest = desc(agentPrompts.sentAt)
        return (await db.select().from(agentPrompts).where(which).orderBy(latest).limit(maxOfJob)).toReversed()
      })
    },
    /** Creations that are under way or have an unknown outcome. */
    open: (scope: TokenScope) =>
      read(() =>
        db
          .select()
          .from(agentPrompts)
          .where(
            and(
              sql`${agentPrompts.state} in ('sending', 'unknown')`,
              eq(agentPrompts.kind, 'creation'),
              isNull(agentPrompts.replacedBy),
              isNull(agentPrompts.forgottenAt),
              within(agentPrompts.projectId, scope.projectIds),
              within(agentPrompts.connectionId, scope.connectionIds),
            ),
          )
          .orderBy(desc(agentPrompts.sentAt))
          .limit(maxListed),
      ),
    /** Gives an `unknown` creation the job that a person found, which is read first. Rejects with `upstream_*` when that fails. */
    attach: async (requestId: string, id: string, by: Actor, scope: TokenScope) => {
      const here = connections.open((await findInScope(requestId, scope)).connectionId)
      await here.attach(requestId, id, by)
      here.wake()
      return present(await findInScope(requestId, scope))
    },
    /** Takes an `unknown` creation off the list. Doing it twice is fine. */
    forget: async (requestId: string, by: Actor, scope: TokenScope) => {
      await findInScope(requestId, scope)
      await decisions.forget(requestId, by)
    },
    /** Takes `forget` back. */
    restore: async (requestId: string, by: Actor, scope: TokenScope) => {
      await findInScope(requestId, scope)
      await decisions.restore(requestId, by)
      return present(await findInScope(requestId, scope))
    },
  }
}

const noMaintenance = () =>
  new AppError('conflict', 'Only Docket’s embedded service does maintenance. Choose its connection, or write a prompt.')

/**
 * Creates agent jobs and sends follow-up messages, and knows what became of each prompt. `by` is who asks, for the history and the
 * audit. `forbidden` where the operator does not allow it; `not_found` for what is outside the scope.
 */
export type AgentPromptService = ReturnType<typeof agentPromptService>
