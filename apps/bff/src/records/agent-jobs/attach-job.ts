import type { AgentJobKey, ListedAgentJobs } from '@docket/api-types/agent-jobs'
import type { CheckFailure } from '@docket/api-types/api-error'
import type { AdminApi, AgentJobSnapshot } from '#service/admin-api/admin-api.ts'
import { AdminApiError } from '#ground/errors/admin-api-error.ts'
import type { Database } from '#ground/db/database.ts'
import { withOwnDeadline } from '#ground/db/deadline.ts'
import type { Actor } from '#ground/identity/actor.ts'
import { toCheckFailure } from '#service/polling/failed-read.ts'
import type { Polling } from '#service/polling/polling.ts'
import { isBudgetSpent } from '#service/rate-limit/limiter.ts'
import { findListed, insertJob, isJob, newJobRow, recordJobEvents } from './agent-jobs.rows.ts'
import { afterAnswer, type AgentJobRow } from './agent-jobs.state.ts'
import { agentJobs } from './agent-jobs.table.ts'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { AppError } from '#ground/errors/app-error.ts'

// Entries carry their to-dos, and an answer of more than 10,000 parts is refused.
const take = 25
/** A shorter page is the last one, also of a service that ignores `take` and sends its usual 12. */
const minPage = 12

const notAllowed = () =>
  new AppError(
    'conflict',
    'The list of agent jobs is off for this connection. An admin can turn it on in Settings, if the service offers it.',
  )

/**
 * One page of the jobs of a project, as the service lists them. Makes one call, which a person pays for. Rejects with `conflict`
 * unless `listAllowed`, or with `upstream_*`.
 */
export const listProjectJobs = async (
  deps: { db: Database; adminApi: AdminApi; polling: Polling; listAllowed: boolean },
  { projectId, skip }: { projectId: string; skip: number },
): Promise<ListedAgentJobs> => {
  const { db, adminApi, listAllowed } = deps
  const { limiter, connectionId } = deps.polling
  if (!listAllowed) throw notAllowed()
  const { jobs, entries, skipped } = await limiter.call(
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

/** Result for one job of a request. */
export type AttachOutcome = { row: AgentJobRow | null; already: boolean; failure: CheckFailure | null }

const concurrentReads = 4

/**
 * Follows jobs of a connection. Reads each job once, which proves that it exists, and adds it to the list. Keeps the order of `keys`,
 * in the results and in the list. Rejects only when the database is away.
 */
export const attachJobs = async (
  deps: { db: Database; adminApi: AdminApi; polling: Polling },
  keys: readonly AgentJobKey[],
  by: Actor,
): Promise<AttachOutcome[]> => {
  const { db, adminApi } = deps
  const { connectionId, limiter, now, schedule } = deps.polling
  const requestedAt = now()
  await schedule.refresh()

  const keep = (row: AgentJobRow): Promise<AttachOutcome> =>
    db.transaction(async (tx) => {
      const isNew = await insertJob(tx, row)
      if (isNew)
        // Docket did not see how the job got its status, so it is part of this event.
        await recordJobEvents(tx, row, [{ kind: 'followed', at: row.checkedAt ?? row.followedAt, by, to: row.status }])
      // Another request may have followed the job in the meantime; and the database computes whether it needs attention.
      const [saved] = await tx.select().from(agentJobs).where(isJob(row))
      return { row: saved ?? row, already: !isNew, failure: null }
    })

  const followOne = async (named: AgentJobKey, place: number): Promise<AttachOutcome> => {
    const key = { connectionId, ...named }
    const known = await findListed(db, key)
    if (known !== undefined) return { row: known, already: true, failure: null }
    let row: AgentJobRow
    try {
      const snapshot: AgentJobSnapshot = await limiter.call(() => adminApi.getAgentJob(key))
      // Each job gets a time one millisecond earlier, so the list shows jobs in the order of the request.
      row = afterAnswer(newJobRow(key, new Date(requestedAt - place)), snapshot, { now: now(), schedule })
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
  const outcomes = new Map<string, AttachOutcome>()
  const queue = [...new Set(names)].map((name) => names.indexOf(name))
  const work = async () => {
    try {
      for (let place = queue.shift(); place !== undefined; place = queue.shift()) {
        const here = place
        // Each job has its own deadline, so a long list needs no longer deadline for all.
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
