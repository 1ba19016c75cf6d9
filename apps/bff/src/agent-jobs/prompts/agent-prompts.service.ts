import type { AgentJob, AgentJobKey } from '@docket/api-types/agent-jobs'
import type {
  AgentPromptList,
  CreateAgentJob,
  SendAgentMessage,
  SentAgentPrompt,
} from '@docket/api-types/agent-prompts'
import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import type { AdminApi } from '#admin-api/admin-api.ts'
import { findListed } from '#agent-jobs/agent-jobs.rows.ts'
import type { AgentJobService } from '#agent-jobs/agent-jobs.service.ts'
import type { Actor } from '#identity/actor.ts'
import type { Database } from '#db/database.ts'
import { within } from '#db/list-queries.ts'
import { isDatabaseUnavailable } from '#db/unavailable.ts'
import { AppError } from '#errors/app-error.ts'
import { isWithin, type TokenScope } from '#http/access/token-scope.ts'
import type { Log } from '#log/log.ts'
import type { CallLimiter } from '#rate-limit/limiter.ts'
import type { Polling } from '#polling/polling.ts'
import { agentPrompts } from './agent-prompts.table.ts'
import { promptDecisions } from './decide-prompt.ts'
import { endTimedOutPrompts } from './timed-out-prompts.ts'
import { type PromptIntent, promptSender } from './send-prompt.ts'
import { toAgentPrompt, isPrompt, noSuchPrompt, type AgentPromptRow } from './agent-prompts.state.ts'

/** Prompts as of now, and when the next one times out (milliseconds since the epoch, or null). */
type Read = { value: AgentPromptList; until: number | null }

const answerMs = 15_000
const maxListed = 20

const notAllowed = () =>
  new AppError(
    'forbidden',
    'Creating agent jobs and sending follow-ups is switched off in this Docket. An operator of it can allow it with AGENT_JOB_CREATION.',
  )

/** Builds the service. `polling` belongs to jobs, `limiter` to prompts. */
export const agentPromptService = (deps: {
  db: Database
  adminApi: AdminApi
  polling: Polling
  limiter: CallLimiter
  jobs: Pick<AgentJobService, 'get' | 'current' | 'watcher'>
  allowed: boolean
  log: Log
}) => {
  const { db, jobs, allowed, polling, limiter } = deps
  const { now, schedule } = polling
  const { wake } = jobs.watcher
  const sender = promptSender({ ...deps, polling: { ...polling, limiter }, wake })
  const decisions = promptDecisions(deps)

  const present = async (row: AgentPromptRow): Promise<SentAgentPrompt> => {
    const { projectId, jobId } = row
    const key = jobId === null ? null : { projectId, id: jobId }
    const isFollowed = key !== null && (await findListed(db, key)) !== undefined
    const job: AgentJob | null = isFollowed ? await jobs.get(key) : null
    return { prompt: toAgentPrompt(row), job }
  }

  const send = async (intent: PromptIntent) => {
    if (!allowed) throw notAllowed()
    const prompt = await sender.send(intent, answerMs)
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
    await endTimedOutPrompts(db, { now: now(), schedule })
    const found = await rows()
    const ends = found.flatMap(({ state, leaseUntil }) =>
      state === 'sending' && leaseUntil !== null ? leaseUntil : [],
    )
    return {
      value: { prompts: found.map(toAgentPrompt) },
      until: ends.length === 0 ? null : Math.min(...ends.map((end) => end.getTime())),
    }
  }

  const findInScope = async (requestId: string, { projectIds }: TokenScope): Promise<AgentPromptRow> => {
    const [row] = await db.select().from(agentPrompts).where(isPrompt(requestId))
    if (row === undefined || !isWithin(projectIds, row.projectId)) throw noSuchPrompt()
    return row
  }

  return {
    create: async (request: CreateAgentJob, by: Actor, { projectIds }: TokenScope) => {
      if (!isWithin(projectIds, request.projectId))
        throw new AppError('forbidden', `This token may not create jobs of ${request.projectId}.`, {
          field: 'projectId',
        })
      return send({ kind: 'creation', request, by })
    },
    message: async (to: AgentJobKey, request: SendAgentMessage, by: Actor) => {
      await jobs.get(to)
      return send({ kind: 'message', request, to, by })
    },
    /** Names the content of both lists. */
    current: jobs.current,
    /** Prompts of a followed job. */
    listOfJob: async (key: AgentJobKey) => {
      await jobs.get(key)
      const { projectId, id } = key
      return read(async () => {
        const which = and(eq(agentPrompts.projectId, projectId), eq(agentPrompts.jobId, id))
        const latest = desc(agentPrompts.sentAt)
        return (await db.select().from(agentPrompts).where(which).orderBy(latest).limit(maxListed)).toReversed()
      })
    },
    /** Creations that are under way or have an unknown outcome. */
    open: ({ projectIds }: TokenScope) =>
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
              inScope(projectIds),
            ),
          )
          .orderBy(desc(agentPrompts.sentAt))
          .limit(maxListed),
      ),
    /** Gives an `unknown` creation the job that a person found, which is read first. Rejects with `upstream_*` when that fails. */
    attach: async (requestId: string, id: string, by: Actor, scope: TokenScope) => {
      await findInScope(requestId, scope)
      await decisions.attach(requestId, id, by)
      wake()
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
    /** Waits for the calls under way. */
    settled: sender.settled,
  }
}

/**
 * Creates agent jobs and sends follow-up messages, and knows what became of each prompt. `by` is who asks, for the history and the
 * audit. `forbidden` where the operator does not allow it; `not_found` for what is outside the scope.
 */
export type AgentPromptService = ReturnType<typeof agentPromptService>

const inScope = (projectIds: TokenScope['projectIds']) => within(agentPrompts.projectId, projectIds)
