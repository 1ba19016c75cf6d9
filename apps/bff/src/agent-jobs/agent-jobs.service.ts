import { randomUUID } from 'node:crypto'
import type { AgentJob, AgentJobKey, AgentJobList, FollowAgentJobsResult } from '@docket/api-types/agent-jobs'
import { and, isNotNull, isNull } from 'drizzle-orm'
import type { AdminApi } from '#admin-api/admin-api.ts'
import { findFollowed, followAgentJobs } from '#agent-jobs/agent-jobs.follow.ts'
import { countAgentJobs, currentVersion, pageOfAgentJobs, versionOf } from '#agent-jobs/agent-jobs.list.ts'
import { toAgentJob, type AgentJobRow } from '#agent-jobs/agent-jobs.meaning.ts'
import { nextCheckOf } from '#agent-jobs/agent-jobs.outcome.ts'
import { agentJobReader, countChange, isJob } from '#agent-jobs/agent-jobs.reader.ts'
import { agentJobs } from '#agent-jobs/agent-jobs.table.ts'
import { agentJobWatcher } from '#agent-jobs/agent-jobs.watcher.ts'
import type { Database } from '#db/database.ts'
import { AppError } from '#http/app-error.ts'
import type { Log } from '#log.ts'
import { callGate } from '#watch/gate.ts'
import { embeddedPace, hostedPace } from '#watch/intervals.ts'
import type { WatchLoop } from '#watch/watch-loop.ts'

/** Follows agent jobs and knows their last state. Every key names one job; `not_found` when nobody follows it. */
export type AgentJobService = {
  /** Follows several at once; one that cannot be read is reported and not followed. */
  follow: (keys: readonly AgentJobKey[]) => Promise<FollowAgentJobsResult>
  /** A page and the version that names it; the page is null when the reader's `If-None-Match` is still current. */
  list: (
    page: { cursor?: string | undefined; limit: number },
    held?: string,
  ) => Promise<{ version: string; list: AgentJobList | null }>
  get: (key: AgentJobKey) => Promise<AgentJob>
  /** Stops following it. It is kept for `restore`; doing it twice is fine. */
  remove: (key: AgentJobKey) => Promise<void>
  /** Takes `remove` back, without a call to the service. */
  restore: (key: AgentJobKey) => Promise<AgentJob>
  /** Reads it upstream now. A failed read is in `checkFailure`; rejects only when the service asked to be left alone. */
  check: (key: AgentJobKey) => Promise<AgentJob>
  /** Jobs that can still change. */
  countActive: () => Promise<number>
  watcher: WatchLoop
}

const notFollowed = () =>
  new AppError('not_found', 'Nobody follows this agent job here. Follow it with its project and id.')

/** `embedded`: the Admin API is Docket's own, on this machine; it is read more often, and its links may be loopback http. */
export const agentJobService = (deps: {
  db: Database
  adminApi: AdminApi
  /** Milliseconds since the epoch. */
  now: () => number
  log: Log
  embedded: boolean
  /** Longest time for one call of the Admin API. Milliseconds. */
  callTimeoutMs?: number
}): AgentJobService => {
  const { db, adminApi, now, log, embedded, callTimeoutMs = 15_000 } = deps
  const pace = embedded ? embeddedPace : hostedPace
  // A read must fit in; after this long a dead process is replaced.
  const lease = { owner: randomUUID(), leaseMs: embedded ? 10_000 : callTimeoutMs + 10_000 }
  const gate = callGate({ now })
  const reader = agentJobReader({ db, adminApi, gate, now, pace })
  const watcher = agentJobWatcher({ db, reader, gate, lease, clock: { now, log } })
  const shown = (row: AgentJobRow) => toAgentJob(row, { now: now(), embedded })

  const get = async (key: AgentJobKey) => {
    const row = await findFollowed(db, key)
    if (row === undefined) throw notFollowed()
    return shown(row)
  }

  const isKnown = async (key: AgentJobKey) => {
    const rows = await db.select({ id: agentJobs.id }).from(agentJobs).where(isJob(key))
    return rows.length > 0
  }

  return {
    follow: async (keys) => {
      const outcomes = await followAgentJobs({ db, adminApi, gate, now, pace }, keys)
      watcher.wake()
      return {
        results: outcomes.map(({ row, ...outcome }, place) => ({
          key: keys[place]!,
          job: row === null ? null : shown(row),
          ...outcome,
        })),
      }
    },
    list: async (page, held) => {
      const { revision, current } = await currentVersion(db, held, now())
      if (current !== null) return { version: current, list: null }
      const [{ items, nextCursor }, counts] = await Promise.all([pageOfAgentJobs(db, page), countAgentJobs(db)])
      return { version: versionOf(revision, items, now()), list: { items: items.map(shown), nextCursor, counts } }
    },
    get,
    remove: async (key) => {
      const removed = await db.transaction(async (tx) => {
        // Without its lease, a read that is under way can no longer write.
        const set = { removedAt: new Date(now()), nextCheckAt: null, leaseOwner: null, leaseUntil: null }
        const [row] = await tx
          .update(agentJobs)
          .set(set)
          .where(and(isJob(key), isNull(agentJobs.removedAt)))
          .returning({ id: agentJobs.id })
        return row === undefined ? undefined : countChange(tx, key)
      })
      if (removed === undefined && !(await isKnown(key))) throw notFollowed()
    },
    restore: async (key) => {
      await db.transaction(async (tx) => {
        const [row] = await tx
          .update(agentJobs)
          .set({ removedAt: null })
          .where(and(isJob(key), isNotNull(agentJobs.removedAt)))
          .returning()
        if (row === undefined) return
        await tx
          .update(agentJobs)
          .set({ nextCheckAt: nextCheckOf(row, { now: now(), pace }) })
          .where(isJob(key))
        await countChange(tx, key)
      })
      watcher.wake()
      return get(key)
    },
    check: async (key) => {
      if (!(await reader.readNow(key, lease))) throw notFollowed()
      watcher.wake()
      return get(key)
    },
    countActive: async () => (await countAgentJobs(db)).active,
    watcher,
  }
}
