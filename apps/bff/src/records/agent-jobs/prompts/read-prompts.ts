import type { AgentPromptList, SentAgentPrompt } from '@docket/api-types/agent-prompts'
import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { requireFollowedJob, findListedJob, locateJob, type RequestedJob } from '#records/agent-jobs/agent-jobs.rows.ts'
import { readJob } from '#records/agent-jobs/read-jobs.ts'
import type { JobsCtx } from '#records/agent-jobs/jobs-ctx.ts'
import { idleSchedule } from '#service/polling/schedule.ts'
import { matchesAnyValue } from '#ground/db/list-queries.ts'
import type { TokenScope } from '#ground/http/access/token-scope.ts'
import { type AgentPromptRow, belongsToJob, isPrompt, noSuchPromptError, toAgentPrompt } from './agent-prompts.state.ts'
import { agentPrompts } from './agent-prompts.table.ts'
import { endTimedOutPrompts } from './prompt-outcome.ts'

/** `until` is when the next prompt times out, in milliseconds since the epoch. Null when none does. */
type Read = { value: AgentPromptList; until: number | null }

const maxListed = 20
const maxOfJob = 500

/** Throws `not_found` for an unknown prompt. */
export const readPrompt = async (ctx: JobsCtx, requestId: string): Promise<SentAgentPrompt> => {
  const [row] = await ctx.db.select().from(agentPrompts).where(isPrompt(requestId))
  if (row === undefined) throw noSuchPromptError()
  const { connectionId, projectId, jobId } = row
  const key = jobId === null ? null : { connectionId, projectId, id: jobId }
  const isFollowed = key !== null && (await findListedJob(ctx.db, key)) !== undefined
  return { prompt: toAgentPrompt(row), job: isFollowed ? await readJob(ctx, key) : null }
}

const readPromptList = async ({ db, now }: JobsCtx, find: () => Promise<AgentPromptRow[]>): Promise<Read> => {
  await endTimedOutPrompts(db, { now: now(), schedule: idleSchedule })
  const found = await find()
  const ends = found.flatMap(({ state, leaseUntil }) => (state === 'sending' && leaseUntil !== null ? leaseUntil : []))
  return {
    value: { prompts: found.map(toAgentPrompt) },
    until: ends.length === 0 ? null : Math.min(...ends.map((end) => end.getTime())),
  }
}

/** Throws `not_found` for a job that is not followed. */
export const listPromptsOfJob = async (ctx: JobsCtx, job: RequestedJob): Promise<Read> => {
  const { db } = ctx
  const which = belongsToJob(await requireFollowedJob(db, await locateJob(db, job)))
  return readPromptList(ctx, async () => {
    const latest = desc(agentPrompts.sentAt)
    return (await db.select().from(agentPrompts).where(which).orderBy(latest).limit(maxOfJob)).toReversed()
  })
}

/** Includes creations in progress and those with an unknown outcome. */
export const listOpenPrompts = (ctx: JobsCtx, scope: TokenScope): Promise<Read> =>
  readPromptList(ctx, () =>
    ctx.db
      .select()
      .from(agentPrompts)
      .where(
        and(
          sql`${agentPrompts.state} in ('sending', 'unknown')`,
          eq(agentPrompts.kind, 'creation'),
          isNull(agentPrompts.replacedBy),
          isNull(agentPrompts.forgottenAt),
          matchesAnyValue(agentPrompts.projectId, scope.projectIds),
          matchesAnyValue(agentPrompts.connectionId, scope.connectionIds),
        ),
      )
      .orderBy(desc(agentPrompts.sentAt))
      .limit(maxListed),
  )
