import type { AgentJobKey } from '@docket/api-types/agent-jobs'
import type { CheckFailure } from '@docket/api-types/api-error'
import { and, isNotNull, isNull } from 'drizzle-orm'
import { AdminApiError, type AdminApi, type AgentJobSnapshot } from '#admin-api/admin-api.ts'
import { selectWritable, type AgentJobRow } from '#agent-jobs/agent-jobs.meaning.ts'
import { afterAnswer } from '#agent-jobs/agent-jobs.outcome.ts'
import { countJobChange, isJob, recordJobEvents } from '#agent-jobs/agent-jobs.reader.ts'
import { agentJobs } from '#agent-jobs/agent-jobs.table.ts'
import type { Actor } from '#identity/actor.ts'
import type { Database, Tx } from '#db/database.ts'
import { withOwnDeadline } from '#db/deadline.ts'
import { toCheckFailure } from '#polling/failed-read.ts'
import { isBudgetSpent } from '#rate-limit/limiter.ts'
import type { Polling } from '#polling/polling.ts'

/** What became of one job that somebody wants to follow. */
export type AttachOutcome = { row: AgentJobRow | null; already: boolean; failure: CheckFailure | null }

const concurrentReads = 4

/** A job as it is before anything is known of it but its name. */
export const newJobRow = ({ projectId, id }: AgentJobKey, followedAt: Date): AgentJobRow => ({
  projectId,
  id,
  followedAt,
  status: null,
  repository: null,
  ref: null,
  model: null,
  prLink: null,
  createdAt: null,
  archivedAt: null,
  finishedAt: null,
  tookMs: null,
  goneAt: null,
  nextCheckAt: null,
  leaseOwner: null,
  leaseUntil: null,
  changingSince: null,
  unfinishedAt: null,
  viewedUntil: null,
  group: 'working',
  troubledAt: null,
  failures: 0,
  checkedAt: null,
  checkFailure: null,
  revision: 0,
  removedAt: null,
})

/** The job when somebody follows it. */
export const findListed = async (db: Database, key: AgentJobKey): Promise<AgentJobRow | undefined> => {
  const [row] = await db
    .select()
    .from(agentJobs)
    .where(and(isJob(key), isNull(agentJobs.removedAt)))
  return row
}

/** Follows a job in a transaction, and counts the change. False, and nothing happened, when somebody follows it already. */
export const insertJob = async (tx: Tx, row: AgentJobRow): Promise<boolean> => {
  const written = await tx
    .insert(agentJobs)
    .values(selectWritable(row))
    .onConflictDoUpdate({
      target: [agentJobs.projectId, agentJobs.id],
      set: selectWritable(row),
      setWhere: isNotNull(agentJobs.removedAt),
    })
    .returning({ id: agentJobs.id })
  if (written.length > 0) await countJobChange(tx, row)
  return written.length > 0
}

/**
 * Follows jobs in the name of `by`: each is read once, which proves that it exists, and then kept. Answers in the order asked; the first one
 * asked is listed first. Only the database makes it reject.
 */
export const attachJobs = async (
  deps: { db: Database; adminApi: AdminApi; polling: Polling },
  keys: readonly AgentJobKey[],
  by: Actor,
): Promise<AttachOutcome[]> => {
  const { db, adminApi } = deps
  const { limiter, now, schedule } = deps.polling
  const askedAt = now()
  await schedule.refresh()

  const keep = (row: AgentJobRow): Promise<AttachOutcome> =>
    db.transaction(async (tx) => {
      if (await insertJob(tx, row)) {
        // What it is by now it became before Docket looked.
        await recordJobEvents(tx, row, [{ kind: 'followed', at: row.checkedAt ?? row.followedAt, by, to: row.status }])
        return { row, already: false, failure: null }
      }
      // Somebody else followed it since we looked.
      const [theirs] = await tx.select().from(agentJobs).where(isJob(row))
      return { row: theirs ?? row, already: true, failure: null }
    })

  const followOne = async (key: AgentJobKey, place: number): Promise<AttachOutcome> => {
    const known = await findListed(db, key)
    if (known !== undefined) return { row: known, already: true, failure: null }
    let row: AgentJobRow
    try {
      const snapshot: AgentJobSnapshot = await limiter.call(() => adminApi.getAgentJob(key))
      // Earlier by its place, so that the list shows several in the order asked.
      row = afterAnswer(newJobRow(key, new Date(askedAt - place)), snapshot, { now: now(), schedule })
    } catch (error) {
      if (!(error instanceof AdminApiError || isBudgetSpent(error))) throw error
      const failure = toCheckFailure(error, now())
      const message =
        error.code === 'upstream_not_found' ? 'No such job. Check the project and the id.' : failure.message
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
        // Each job has a deadline of its own, so that a long list is not late for being long.
        outcomes.set(names[here]!, await withOwnDeadline(() => followOne(keys[here]!, here)))
      }
    } finally {
      // After a failure nothing more is followed behind the reader's back.
      queue.length = 0
    }
  }
  await Promise.all(Array.from({ length: concurrentReads }, work))
  return names.map((name, place) => {
    const outcome = outcomes.get(name)!
    return names.indexOf(name) === place ? outcome : { ...outcome, already: outcome.row !== null }
  })
}
