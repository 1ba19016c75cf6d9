import type { AgentJobKey, AgentJobListQuery } from '@docket/api-types/agent-jobs'
import type { UsualDuration } from '@docket/api-types/list'
import type { AdminApi } from '#admin-api/admin-api.ts'
import { purgePrompts } from '#agent-jobs/prompts/purge-prompts.ts'
import type { Database } from '#db/database.ts'
import { currentTag } from '#db/revision.ts'
import { AppError } from '#errors/app-error.ts'
import { recordHistory } from '#history/records-history.ts'
import { purgeRemovedRecords } from '#history/retention.ts'
import { isWithin, type TokenScope } from '#http/access/token-scope.ts'
import type { Actor } from '#identity/actor.ts'
import type { Log } from '#log/log.ts'
import type { Polling } from '#polling/polling.ts'
import { jobDurations } from './agent-jobs.history.ts'
import { countActive, filtersOfAgentJobs, pageOfAgentJobs, rowsOfPage } from './agent-jobs.list.ts'
import { findListed, isJob } from './agent-jobs.rows.ts'
import { type AgentJobRow, toAgentJob } from './agent-jobs.state.ts'
import { agentJobs } from './agent-jobs.table.ts'
import { agentJobReader, agentJobWatcher } from './agent-jobs.watcher.ts'
import { attachJobs } from './attach-job.ts'
import { removable, removeJob, restoreJob } from './remove-job.ts'

const notFollowed = () =>
  new AppError('not_found', 'Nobody follows this agent job here. Follow it with its project and id.')

/** Builds the service. */
export const agentJobService = (deps: {
  db: Database
  adminApi: AdminApi
  polling: Polling
  log: Log
  /** Retention of the history. Days. */
  retentionDays: number
}) => {
  const { db, adminApi, polling, log, retentionDays } = deps
  const { now, schedule, embedded } = polling
  const durations = jobDurations(db, now)
  const reader = agentJobReader({ db, adminApi, polling })
  const watcher = agentJobWatcher({ db, reader, polling, log })
  const present = (row: AgentJobRow, usual: UsualDuration | null) => toAgentJob(row, { now: now(), embedded, usual })

  const get = async (key: AgentJobKey) => {
    const row = await findListed(db, key)
    if (row === undefined) throw notFollowed()
    return present(row, await durations.forOne(row))
  }

  const isKnown = async (key: AgentJobKey) => {
    const rows = await db.select({ id: agentJobs.id }).from(agentJobs).where(isJob(key))
    return rows.length > 0
  }

  return {
    /** Follows several jobs. Reports a job that cannot be read, and does not follow it. `forbidden` for a project outside the scope. */
    follow: async (keys: readonly AgentJobKey[], by: Actor, { projectIds }: TokenScope) => {
      const outside = keys.find(({ projectId }) => !isWithin(projectIds, projectId))
      if (outside !== undefined)
        throw new AppError('forbidden', `This token may not follow jobs of ${outside.projectId}.`, { field: 'jobs' })
      const outcomes = await attachJobs({ db, adminApi, polling }, keys, by)
      watcher.wake()
      const usual = await durations.forWorking(outcomes.flatMap(({ row }) => row ?? []))
      return {
        results: outcomes.map(({ row, ...outcome }, place) => ({
          key: keys[place]!,
          job: row === null ? null : present(row, usual(row)),
          ...outcome,
        })),
      }
    },
    /** Names the content of the list as it is now; reads one row. */
    current: async () => ({ tag: await currentTag(db, 'agent_jobs'), now: now() }),
    /** A page, and when it changes by itself although its tag stays (milliseconds since the epoch, or null). */
    list: async (query: AgentJobListQuery, { projectIds }: TokenScope) => {
      const page = await pageOfAgentJobs(db, query, { now: now(), projectIds })
      const { items, nextCursor, counts, until } = page
      const usual = await durations.forWorking(items)
      return { list: { items: items.map((row) => present(row, usual(row))), nextCursor, counts }, until }
    },
    /** Check times of the jobs on a page. */
    checks: async (query: AgentJobListQuery, { projectIds }: TokenScope) => {
      const { items } = await rowsOfPage(db, query, { now: now(), projectIds })
      const checks = items.map((row) => {
        const { checkFailure, ...check } = present(row, null)
        return { ...check, failedAt: checkFailure?.at ?? null }
      })
      return { checks }
    },
    /** Values for the filters of the list. */
    filters: ({ projectIds }: TokenScope) => filtersOfAgentJobs(db, projectIds),
    /** Throws `not_found` for a project outside the scope, as for an unknown job. */
    ensureInScope: (projectId: string, { projectIds }: TokenScope) => {
      if (!isWithin(projectIds, projectId)) throw notFollowed()
    },
    get,
    history: (key: AgentJobKey) =>
      recordHistory({ db, now, retentionDays }, { type: 'agent_job', ...key }, async () => {
        if ((await findListed(db, key)) === undefined) throw notFollowed()
      }),
    /** Deletes jobs that were removed before the retention, with their events and prompts. Returns their number. */
    purgeRemoved: async () => {
      const retention = { now: now(), days: retentionDays }
      const jobs = await purgeRemovedRecords(db, removable, retention)
      return jobs + (await purgePrompts(db, retention))
    },
    /** Stops following a job, until `restore`. Idempotent. */
    remove: async (key: AgentJobKey, by: Actor) => {
      if (!(await removeJob(db, key, { at: new Date(now()), by })) && !(await isKnown(key))) throw notFollowed()
    },
    /** Undoes `remove` without a call to the service. */
    restore: async (key: AgentJobKey, by: Actor) => {
      await schedule.refresh()
      await restoreJob(db, key, { now: now(), schedule }, by)
      watcher.wake()
      return get(key)
    },
    /** Reads a job upstream now. A failed read sets `checkFailure`; rejects only while the service asks for a pause. */
    check: async (key: AgentJobKey, by: Actor) => {
      if (!(await reader.readNow(key, by))) throw notFollowed()
      watcher.wake()
      return get(key)
    },
    /** Number of working jobs within the scope. */
    countActive: ({ projectIds }: TokenScope) => countActive(db, projectIds),
    watcher,
  }
}

/** Follows agent jobs and reads their last state. `not_found` for a job that nobody follows. */
export type AgentJobService = ReturnType<typeof agentJobService>
