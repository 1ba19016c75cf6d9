import type { AgentJobKey, FollowAgentJobs, ListedAgentJobs } from '@docket/api-types/agent-jobs'
import type { CheckFailure } from '@docket/api-types/api-error'
import type { AgentJobSnapshot } from '#service/admin-api/admin-api.ts'
import { AdminApiError, AppError } from '#ground/errors/app-error.ts'
import type { JobsCtx, JobsHere } from '#records/agent-jobs/jobs-ctx.ts'
import { isWithin, type TokenScope } from '#ground/http/access/token-scope.ts'
import { presentJob } from './read-jobs.ts'
import { withOwnDeadline } from '#ground/db/deadline.ts'
import type { Actor } from '#ground/identity/identity.ts'
import { toCheckFailure } from '#service/polling/failed-read.ts'
import { isBudgetSpent } from '#service/rate-limit/limiter.ts'
import { findListedJob, insertJob, isJob, createUnreadJobRow, recordJobEvents } from './agent-jobs.rows.ts'
import { afterAnswer, type AgentJobRow } from './agent-jobs.state.ts'
import { agentJobs } from './agent-jobs.table.ts'
import { and, eq, inArray, isNull } from 'drizzle-orm'

// Entries include their to-dos, and an answer of more than 10,000 parts is rejected.
const take = 25
/** A shorter page is the last one, even if a service ignores `take` and sends its usual 12. */
const minPage = 12

const listingNotAllowedError = () =>
  new AppError(
    'conflict',
    'The list of agent jobs is off for this connection. An admin can turn it on in Settings, if the service offers it.',
  )

/** Makes one call, which counts as a click. Throws `forbidden`, `conflict` where an admin did not allow it, and `upstream_*`. */
export const listServiceJobs = async (
  { db, connections }: JobsCtx,
  { connection, projectId, skip }: { connection?: string | undefined; projectId: string; skip: number },
  scope: TokenScope,
): Promise<ListedAgentJobs> => {
  if (!isWithin(scope.projectIds, projectId))
    throw new AppError('forbidden', `This token may not list jobs of ${projectId}.`, { field: 'projectId' })
  const connectionId = await connections.choose(connection, scope)
  const { adminApi, listAllowed, polling } = connections.open(connectionId).jobs
  if (!listAllowed) throw listingNotAllowedError()
  const { jobs, entries, skipped } = await polling.limiter.call(
    () => adminApi.listAgentJobs({ projectId, skip, take }),
    'listAgentJobs',
  )
  const ids = jobs.map(({ id }) => id)
  const isListed = and(
    eq(agentJobs.connectionId, connectionId),
    eq(agentJobs.projectId, projectId),
    inArray(agentJobs.id, ids),
    isNull(agentJobs.removedAt),
  )
  const rows = ids.length === 0 ? [] : await db.select({ id: agentJobs.id }).from(agentJobs).where(isListed)
  const followed = new Set(rows.map(({ id }) => id))
  return {
    jobs: jobs.map((job) => ({ ...job, followed: followed.has(job.id) })),
    next: entries < minPage ? null : skip + entries,
    skipped,
  }
}

type Outcome = { row: AgentJobRow | null; already: boolean; failure: CheckFailure | null }

const concurrentReads = 4

/** Keeps the order of `keys` in the results and in the list. Rejects only when the database is unavailable. */
const followEachJob = async (
  { db, now }: JobsCtx,
  { adminApi, polling: { connectionId, limiter, schedule } }: JobsHere,
  { keys, by }: { keys: readonly AgentJobKey[]; by: Actor },
): Promise<Outcome[]> => {
  const requestedAt = now()
  await schedule.refresh()

  const keep = (row: AgentJobRow): Promise<Outcome> =>
    db.transaction(async (tx) => {
      const isNew = await insertJob(tx, row)
      if (isNew)
        // Docket did not see how the job reached its status, so the status is part of this event.
        await recordJobEvents(tx, row, [{ kind: 'followed', at: row.checkedAt ?? row.followedAt, by, to: row.status }])
      // Another request may have followed the job in the meantime, and the database computes whether it needs attention.
      const [saved] = await tx.select().from(agentJobs).where(isJob(row))
      return { row: saved ?? row, already: !isNew, failure: null }
    })

  const followOne = async (named: AgentJobKey, place: number): Promise<Outcome> => {
    const key = { connectionId, ...named }
    const known = await findListedJob(db, key)
    if (known !== undefined) return { row: known, already: true, failure: null }
    let row: AgentJobRow
    try {
      const snapshot: AgentJobSnapshot = await limiter.call(() => adminApi.getAgentJob(key))
      // Each job gets a time one millisecond earlier, so the list shows jobs in the order of the request.
      row = afterAnswer(createUnreadJobRow(key, new Date(requestedAt - place)), snapshot, { now: now(), schedule })
    } catch (error) {
      if (!(error instanceof AdminApiError || isBudgetSpent(error))) throw error
      const failure = toCheckFailure(error, now())
      const message =
        error.code === 'upstream_not_found' ? 'There is no such job. Check the project and the ID.' : failure.message
      return { row: null, already: false, failure: { ...failure, message } }
    }
    return keep(row)
  }

  const names = keys.map(({ projectId, id }) => JSON.stringify([projectId, id]))
  const outcomes = new Map<string, Outcome>()
  const queue = [...new Set(names)].map((name) => names.indexOf(name))
  const work = async () => {
    try {
      for (let place = queue.shift(); place !== undefined; place = queue.shift()) {
        const here = place
        // Each job has its own deadline, so a long list does not need a longer one.
        outcomes.set(names[here]!, await withOwnDeadline(() => followOne(keys[here]!, here)))
      }
    } finally {
      // After a failure, the request follows no further jobs.
      queue.length = 0
    }
  }
  await Promise.all(Array.from({ length: concurrentReads }, work))
  return names.map((name, place) => {
    const outcome = outcomes.get(name)!
    return names.indexOf(name) === place ? outcome : { ...outcome, already: outcome.row !== null }
  })
}

/** Reports a job that cannot be read, and does not follow it. Throws `forbidden` for a project outside the scope. */
export const followJobs = async (
  ctx: JobsCtx,
  { connectionId, jobs: keys }: FollowAgentJobs,
  by: Actor,
  scope: TokenScope,
) => {
  const outside = keys.find(({ projectId }) => !isWithin(scope.projectIds, projectId))
  if (outside !== undefined)
    throw new AppError('forbidden', `This token may not add jobs of ${outside.projectId}.`, { field: 'jobs' })
  const { jobs: here } = ctx.connections.open(await ctx.connections.choose(connectionId, scope))
  const outcomes = await followEachJob(ctx, here, { keys, by })
  here.watcher.wake()
  const usual = await ctx.jobDurations.forWorking(outcomes.flatMap(({ row }) => row ?? []))
  return {
    results: outcomes.map(({ row, ...outcome }, place) => ({
      key: keys[place]!,
      job: row === null ? null : presentJob(ctx, row, { usual: usual(row) }),
      ...outcome,
    })),
  }
}
