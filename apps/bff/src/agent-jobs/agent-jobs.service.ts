import type {
  AgentJob,
  AgentJobFilters,
  AgentJobKey,
  AgentJobList,
  AgentJobListQuery,
  FollowAgentJobsResult,
} from '@docket/api-types/agent-jobs'
import type { UsualDuration } from '@docket/api-types/list'
import type { AdminApi } from '#admin-api/admin-api.ts'
import { jobDurations } from '#agent-jobs/agent-jobs.durations.ts'
import { findListed, attachJobs } from '#agent-jobs/agent-jobs.follow.ts'
import { changesAt, countActive, filtersOfAgentJobs, pageOfAgentJobs } from '#agent-jobs/agent-jobs.list.ts'
import { toAgentJob, type AgentJobRow } from '#agent-jobs/agent-jobs.meaning.ts'
import { agentJobReader, isJob } from '#agent-jobs/agent-jobs.reader.ts'
import { endTimedOutPrompts } from '#agent-jobs/prompts/lost-prompts.ts'
import { purgePrompts } from '#agent-jobs/prompts/purge-prompts.ts'
import { removable, removeJob, restoreJob } from '#agent-jobs/agent-jobs.removal.ts'
import { agentJobs } from '#agent-jobs/agent-jobs.table.ts'
import type { Actor } from '#identity/actor.ts'
import type { Database } from '#db/database.ts'
import { currentTag } from '#db/revision.ts'
import { purgeRemovedRecords } from '#history/retention.ts'
import { recordHistory, type RecordHistory } from '#history/records-history.ts'
import { AppError } from '#errors/app-error.ts'
import type { Current } from '#http/polled/polled-answers.ts'
import { isWithin, type Reach } from '#http/access/reach.ts'
import type { Log } from '#log/log.ts'
import type { Polling } from '#polling/polling.ts'
import { recordWatcher } from '#polling/watcher.ts'
import type { WatchLoop } from '#polling/loop.ts'

/**
 * Follows agent jobs and knows their last state. Every key names one job; `not_found` when nobody follows it. `by` is who asks, for the
 * history.
 */
export type AgentJobService = {
  /** Follows several at once; one that cannot be read is reported and not followed. `forbidden` when a project is outside the reach. */
  follow: (keys: readonly AgentJobKey[], by: Actor, reach: Reach) => Promise<FollowAgentJobsResult>
  /** Names the content of the list as it is now; reads one row. */
  current: () => Promise<Current>
  /** A page, and when it changes by itself although its tag stays (milliseconds since the epoch, or null). */
  list: (query: AgentJobListQuery, reach: Reach) => Promise<{ list: AgentJobList; until: number | null }>
  /** What the list can be filtered by. */
  filters: (reach: Reach) => Promise<AgentJobFilters>
  /** Throws `not_found` for a project outside the reach, as for a job that nobody follows. */
  ensureReach: (projectId: string, reach: Reach) => void
  get: (key: AgentJobKey) => Promise<AgentJob>
  /** As `get`, and when it changes by itself (milliseconds since the epoch), or null. */
  read: (key: AgentJobKey) => Promise<{ job: AgentJob; until: number | null }>
  history: (key: AgentJobKey) => RecordHistory
  /** Deletes jobs that were removed longer ago than their history is kept, with their events and prompts. Answers with how many. */
  purgeRemoved: () => Promise<number>
  /** Stops following it. It is kept for `restore`; doing it twice is fine. */
  remove: (key: AgentJobKey, by: Actor) => Promise<void>
  /** Takes `remove` back, without a call to the service. */
  restore: (key: AgentJobKey, by: Actor) => Promise<AgentJob>
  /** Reads it upstream now. A failed read is in `checkFailure`; rejects only when the service asked to be left alone. */
  check: (key: AgentJobKey, by: Actor) => Promise<AgentJob>
  /** Jobs within the reach that can still change. */
  countActive: (reach: Reach) => Promise<number>
  watcher: WatchLoop
}

const notFollowed = () =>
  new AppError('not_found', 'Nobody follows this agent job here. Follow it with its project and id.')

/** Reads jobs as `polling` says. Links of the embedded service may be loopback http. */
export const agentJobService = (deps: {
  db: Database
  adminApi: AdminApi
  polling: Polling
  log: Log
  /** How long its history is kept. */
  retentionDays: number
}): AgentJobService => {
  const { db, adminApi, polling, log, retentionDays } = deps
  const { now, schedule, embedded } = polling
  const durations = jobDurations(db, now)
  const reader = agentJobReader({ db, adminApi, polling })
  let recovered = false
  const watcher = recordWatcher({
    name: 'agent jobs',
    db,
    table: agentJobs,
    polling,
    read: reader.readClaimed,
    beforeClaim: async () => {
      const orphansOf = recovered || !polling.alone ? undefined : polling.lease.owner
      await endTimedOutPrompts(db, { now: now(), schedule }, orphansOf)
      recovered = true
    },
    log,
  })
  const shown = (row: AgentJobRow, usual: UsualDuration | null) => toAgentJob(row, { now: now(), embedded, usual })

  const read = async (key: AgentJobKey) => {
    const row = await findListed(db, key)
    if (row === undefined) throw notFollowed()
    const usual = await durations.forOne(row)
    // Before the job is shown, so that it never shows what was over by then.
    const until = changesAt([row], now())
    return { job: shown(row, usual), until }
  }
  const get = async (key: AgentJobKey) => (await read(key)).job

  const isKnown = async (key: AgentJobKey) => {
    const rows = await db.select({ id: agentJobs.id }).from(agentJobs).where(isJob(key))
    return rows.length > 0
  }

  return {
    follow: async (keys, by, { projectIds }) => {
      const outside = keys.find(({ projectId }) => !isWithin(projectIds, projectId))
      if (outside !== undefined)
        throw new AppError('forbidden', `This token may not follow jobs of ${outside.projectId}.`, { field: 'jobs' })
      const outcomes = await attachJobs({ db, adminApi, polling }, keys, by)
      watcher.wake()
      const usual = await durations.forWorking(outcomes.flatMap(({ row }) => row ?? []))
      return {
        results: outcomes.map(({ row, ...outcome }, place) => ({
          key: keys[place]!,
          job: row === null ? null : shown(row, usual(row)),
          ...outcome,
        })),
      }
    },
    current: async () => ({ tag: await currentTag(db, 'agent_jobs'), now: now() }),
    list: async (query, { projectIds }) => {
      const page = await pageOfAgentJobs(db, query, { now: now(), projectIds })
      const { items, nextCursor, counts, until } = page
      const usual = await durations.forWorking(items)
      return { list: { items: items.map((row) => shown(row, usual(row))), nextCursor, counts }, until }
    },
    filters: ({ projectIds }) => filtersOfAgentJobs(db, projectIds),
    ensureReach: (projectId, { projectIds }) => {
      if (!isWithin(projectIds, projectId)) throw notFollowed()
    },
    get,
    read,
    history: (key) =>
      recordHistory({ db, now, retentionDays }, { type: 'agent_job', ...key }, async () => {
        if ((await findListed(db, key)) === undefined) throw notFollowed()
      }),
    purgeRemoved: async () => {
      const kept = { now: now(), days: retentionDays }
      const jobs = await purgeRemovedRecords(db, removable, kept)
      return jobs + (await purgePrompts(db, kept))
    },
    remove: async (key, by) => {
      if (!(await removeJob(db, key, { at: new Date(now()), by })) && !(await isKnown(key))) throw notFollowed()
    },
    restore: async (key, by) => {
      await schedule.refresh()
      await restoreJob(db, key, { now: now(), schedule }, by)
      watcher.wake()
      return get(key)
    },
    check: async (key, by) => {
      if (!(await reader.readNow(key, by))) throw notFollowed()
      watcher.wake()
      return get(key)
    },
    countActive: ({ projectIds }) => countActive(db, projectIds),
    watcher,
  }
}
