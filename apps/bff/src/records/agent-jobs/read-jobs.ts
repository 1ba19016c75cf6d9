import type { AgentJob, AgentJobCsvQuery, AgentJobListQuery, AgentJobMeaning } from '@docket/api-types/agent-jobs'
import type { UsualDuration } from '@docket/api-types/list'
import { and, desc, eq, inArray } from 'drizzle-orm'
import { type JobAbilities, refuseActions } from '#records/agent-jobs/actions/job-actions.ts'
import { agentPrompts } from '#records/agent-jobs/prompts/agent-prompts.table.ts'
import { readPullRequestProblem } from '#records/agent-jobs/pull-requests/pull-request-reads.ts'
import type { JobsCtx } from '#records/agent-jobs/jobs-ctx.ts'
import { upstreamLink } from '#service/admin-api/safe-link.ts'
import { openRecordHistory } from '#service/history/records-history.ts'
import { describeRemoval } from '#service/history/retention.ts'
import type { Ctx } from '#ground/ctx.ts'
import { isUnsettled, toNote } from '#ground/db/attention.ts'
import type { Database } from '#ground/db/database.ts'
import { mapPieces } from '#ground/db/record-list.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { lastState } from '#records/last-state.ts'
import { isWithin, narrowScope, type TokenScope } from '#ground/http/access/token-scope.ts'
import { allJobs, readAgentJobFilters, readAgentJobPage, rowsOfPage } from './agent-jobs.list.ts'
import {
  requireFollowedJob,
  type JobKey,
  locateJob,
  jobNotFollowedError,
  type RequestedJob,
} from './agent-jobs.rows.ts'
import { type AgentJobRow, deriveMeaning, findFirstLine, formatTitle } from './agent-jobs.state.ts'

const ongoing: readonly AgentJobMeaning[] = ['waiting', 'working', 'finishing', 'unrecognised']

const summariseJob = (row: AgentJobRow, meaning: AgentJobMeaning): string | null => {
  if (ongoing.includes(meaning)) return findFirstLine(row.lastLine)
  if (meaning === 'cancelled') return null
  return findFirstLine(meaning === 'failed' ? row.error : (row.report ?? row.error))
}

const numberInLabel = /[#!](\d{1,9})$/

const toPullRequest = (row: AgentJobRow, label: string | null, problem: string | null): AgentJob['pullRequest'] => {
  if (row.prLink === null) return null
  const number = numberInLabel.exec(label ?? '')?.[1]
  return {
    number: row.pullRequestNumber ?? (number === undefined ? null : Number(number)),
    title: row.pullRequestTitle,
    state: row.pullRequestState,
    knownFrom: row.pullRequestKnownFrom,
    checkedAt: row.pullRequestCheckedAt?.toISOString() ?? null,
    checks: row.pullRequestChecks,
    mergeable: row.pullRequestMergeable,
    problem,
  }
}

type Known = {
  usual?: UsualDuration | null
  /** Why the pull request could not be read. */
  problem?: string | null
  lacksAgent?: boolean
}

/** `embedded` allows links to loopback http and to the embedded code host. */
const toAgentJob = (
  row: AgentJobRow,
  known: { now: number; ownLink: JobsCtx['ownLink'] } & Known & JobAbilities,
): AgentJob => {
  const { now, usual = null, ownLink, problem = null, ...abilities } = known
  const { embedded } = abilities
  const link = (text: string | null) => {
    if (text === null) return null
    const own = embedded ? ownLink(text, row.projectId) : null
    return own ?? upstreamLink(text, { allowLoopbackHttp: embedded })
  }
  const prLink = link(row.prLink)
  const meaning = deriveMeaning(row, now)
  return {
    connectionId: row.connectionId,
    projectId: row.projectId,
    id: row.id,
    status: row.status,
    meaning,
    source: { repository: link(row.repository), ref: row.ref },
    model: row.model,
    prLink,
    title: formatTitle(row),
    askedBy: row.askedBy,
    queuePosition: row.isWaiting ? row.queuePosition : null,
    startedAt: row.startedAt?.toISOString() ?? null,
    summary: summariseJob(row, meaning),
    diffStat: row.diffStat,
    pullRequest: toPullRequest(row, prLink?.label ?? null, problem),
    usage: row.usage,
    actions: refuseActions(row, meaning, abilities),
    error: row.error,
    report: row.report,
    hasLog: embedded && row.isDetailed,
    createdAt: row.createdAt?.toISOString() ?? null,
    archivedAt: row.archivedAt?.toISOString() ?? null,
    followedAt: row.followedAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
    wasSeenRunning: row.finishedAt === null || row.unfinishedAt !== null,
    goneAt: row.goneAt?.toISOString() ?? null,
    needsAttention: isUnsettled(row),
    note: toNote(row),
    usual,
    checkedAt: row.checkedAt?.toISOString() ?? null,
    nextCheckAt: row.nextCheckAt?.toISOString() ?? null,
    checkFailure: row.checkFailure,
  }
}

const formatJobKey = ({ connectionId, projectId, id }: JobKey) => `${connectionId} ${projectId} ${id}`

/** A maintenance order needs no agent. Only the latest accepted prompt of a job counts. */
const findMaintenanceOrders = async (db: Database, keys: readonly JobKey[]): Promise<(key: JobKey) => boolean> => {
  if (keys.length === 0) return () => false
  const { connectionId, projectId, jobId, state, sentAt, maintenance } = agentPrompts
  const rows = await db
    .selectDistinctOn([connectionId, projectId, jobId], { connectionId, projectId, id: jobId, maintenance })
    .from(agentPrompts)
    .where(
      and(
        eq(state, 'accepted'),
        inArray(projectId, [...new Set(keys.map((key) => key.projectId))]),
        inArray(
          jobId,
          keys.map(({ id }) => id),
        ),
      ),
    )
    .orderBy(connectionId, projectId, jobId, desc(sentAt))
  const orders = new Set(rows.flatMap((row) => (row.maintenance === null ? [] : formatJobKey({ ...row, id: row.id! }))))
  return (key) => orders.has(formatJobKey(key))
}

export const presentJob = (ctx: JobsCtx, row: AgentJobRow, known: Known): AgentJob => {
  const { connections, ownLink, now } = ctx
  const abilities = connections.find(row.connectionId)?.jobs.abilities ?? {
    embedded: connections.isEmbedded(row.connectionId),
    isOpen: false,
    promptsAllowed: false,
  }
  const job = toAgentJob(row, { now: now(), ownLink, ...known, ...abilities })
  return abilities.isOpen ? job : { ...job, ...lastState }
}

const presentListedJob = (ctx: JobsCtx, row: AgentJobRow, known: Known) => ({
  ...presentJob(ctx, row, known),
  ...describeRemoval(row, ctx.retentionDays.agentJobs),
})

const findJobsWithoutAgent = async ({ db, connections, hasAgent }: JobsCtx, rows: readonly AgentJobRow[]) => {
  const own = hasAgent ? [] : rows.filter(({ connectionId }) => connections.isEmbedded(connectionId))
  const isOrder = await findMaintenanceOrders(db, own)
  return (row: AgentJobRow) => own.includes(row) && !isOrder(row)
}

/** Throws `not_found` for a job that is not followed. */
export const readJob = async (ctx: JobsCtx, key: JobKey) => {
  const row = await requireFollowedJob(ctx.db, key)
  const [usual, problem, isAgentless] = await Promise.all([
    ctx.jobDurations.forOne(row),
    readPullRequestProblem(ctx.db, row),
    findJobsWithoutAgent(ctx, [row]),
  ])
  return presentJob(ctx, row, { usual, problem, lacksAgent: isAgentless(row) })
}

export const getJob = async (ctx: JobsCtx, job: RequestedJob) => readJob(ctx, await locateJob(ctx.db, job))

/** `until` is when the content changes without a new tag, in milliseconds since the epoch. Null when it does not. */
export const listJobs = async (ctx: JobsCtx, query: AgentJobListQuery, scope: TokenScope) => {
  const { items, nextCursor, counts, until } = await readAgentJobPage(ctx.db, query, {
    ...narrowScope(scope, query),
    now: ctx.now(),
  })
  const [usual, isAgentless] = await Promise.all([ctx.jobDurations.forWorking(items), findJobsWithoutAgent(ctx, items)])
  const listed = items.map((row) => presentListedJob(ctx, row, { usual: usual(row), lacksAgent: isAgentless(row) }))
  return { value: { items: listed, nextCursor, counts }, until }
}

/** Returns chunks. Rejects before the first chunk when a filter is invalid. */
export const listAllJobs = async (ctx: JobsCtx, query: AgentJobCsvQuery, scope: TokenScope) => {
  const pieces = await allJobs(ctx.db, { ...query, limit: 50 }, narrowScope(scope, query))
  return mapPieces(pieces, (rows) => rows.map((row) => presentListedJob(ctx, row, {})))
}

export const listJobChecks = async (ctx: JobsCtx, query: AgentJobListQuery, scope: TokenScope) => {
  const { items } = await rowsOfPage(ctx.db, query, narrowScope(scope, query))
  const checks = items.map((row) => {
    const { checkFailure, ...check } = presentJob(ctx, row, {})
    return { ...check, failedAt: checkFailure?.at ?? null }
  })
  return { checks }
}

export const listJobFilters = ({ db }: Pick<Ctx, 'db'>, scope: TokenScope) => readAgentJobFilters(db, scope)

/** Throws `not_found` for an unknown job or one outside the scope, and as `locateJob` does. */
export const ensureJobInScope = async (
  { db }: Pick<Ctx, 'db'>,
  job: RequestedJob,
  { projectIds, connectionIds }: TokenScope,
): Promise<string> => {
  if (!isWithin(projectIds, job.projectId)) throw jobNotFollowedError()
  return (await locateJob(db, job, connectionIds)).connectionId
}

export const openJobHistory = ({ db, now, retentionDays }: JobsCtx, job: RequestedJob) =>
  openRecordHistory(
    { db, now, retentionDays: retentionDays.agentJobs },
    async () => ({ type: 'agent_job' as const, ...(await locateJob(db, job)) }),
    (key) => requireFollowedJob(db, key),
  )

/** Throws `not_found` when the service offers no log. */
export const readJobLog = async ({ db, connections }: JobsCtx, job: RequestedJob, offset: number) => {
  const { connectionId, projectId, id, isDetailed } = await requireFollowedJob(db, await locateJob(db, job))
  const { abilities, polling, adminApi } = connections.open(connectionId).jobs
  if (!abilities.embedded || !isDetailed) throw new AppError('not_found', 'This service offers no logs.')
  return polling.limiter.call(() => adminApi.readAgentJobLog({ projectId, id, offset }), 'readAgentJobLog')
}

/** Throws `not_found` when Docket cannot read the changes. */
export const readJobChanges = async ({ db, connections, readChanges }: JobsCtx, job: RequestedJob) => {
  const { connectionId, projectId, id } = await requireFollowedJob(db, await locateJob(db, job))
  const found = connections.isEmbedded(connectionId) ? await readChanges?.(projectId, id) : undefined
  if (found === undefined)
    throw new AppError('not_found', 'Docket can’t read the changes of this job. See its pull request.')
  if (found === null) throw new AppError('not_found', 'This job has no changes to show.')
  return found
}
