import type {
  AgentJobCsvQuery,
  AgentJobListQuery,
  FollowAgentJobs,
  PullRequestState,
} from '@docket/api-types/agent-jobs'
import type { Changes } from '@docket/api-types/changes'
import type { UsualDuration } from '@docket/api-types/list'
import { purgePrompts } from '#records/agent-jobs/prompts/purge-prompts.ts'
import type { PerConnection } from '#service/connections/per-connection.ts'
import type { Database } from '#ground/db/database.ts'
import { mapPieces } from '#ground/db/record-list.ts'
import { bumpRevision, currentTag } from '#ground/db/revision.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { recordHistory } from '#service/history/records-history.ts'
import { describeRemoval, purgeRemovedRecords } from '#service/history/retention.ts'
import { isWithin, narrowScope, type TokenScope } from '#ground/http/access/token-scope.ts'
import type { Actor } from '#ground/identity/actor.ts'
import { idleSchedule } from '#service/polling/schedule.ts'
import type { AgentJobOperations } from './agent-job-operations.ts'
import { jobDurations } from './agent-jobs.history.ts'
import { allJobs, countActive, filtersOfAgentJobs, pageOfAgentJobs, rowsOfPage } from './agent-jobs.list.ts'
import { findFollowed, type JobKey, locateJob, notFollowed, type RequestedJob } from './agent-jobs.rows.ts'
import type { JobAction } from '#records/agent-jobs/actions/act-on-job.ts'
import type { AgentJobRow } from './agent-jobs.state.ts'
import type { JobAbilities } from '#records/agent-jobs/actions/job-actions.ts'
import type { Mark } from '#records/mark-record.ts'
import { jobMarks } from './mark-job.ts'
import { type OwnLink, toAgentJob } from './present-job.ts'
import { markPullRequest } from './pull-request.ts'
import { readPullRequestProblem } from '#records/agent-jobs/pull-requests/pull-request-reads.ts'
import { readOrders } from '#records/agent-jobs/prompts/read-orders.ts'
import { removable, removeJob, restoreJob } from './remove-job.ts'

type ListedPage = { connection?: string | undefined; projectId: string; skip: number }

/** Reads the commits and the diff of a job of the embedded service; null when there are none. */
export type ReadChanges = (projectId: string, id: string) => Promise<Changes | null>

/** Builds the service. */
export const agentJobService = (deps: {
  db: Database
  connections: PerConnection<AgentJobOperations>
  /** Milliseconds since the epoch. */
  now: () => number
  /** Retention of the history. Days. */
  retentionDays: number
  ownLink: OwnLink
  /** Reads what a job of the embedded service changed; null when there is nothing to show. */
  changes: ReadChanges | null
  /** False when the embedded service does maintenance only. */
  hasAgent: boolean
}) => {
  const { db, connections, now, retentionDays, ownLink, hasAgent } = deps
  const durations = jobDurations(db, now)
  const abilitiesAt = (connectionId: string): JobAbilities =>
    connections.find(connectionId)?.abilities ?? {
      embedded: connections.isEmbedded(connectionId),
      isOpen: false,
      promptsAllowed: false,
    }
  type Known = { usual?: UsualDuration | null; problem?: string | null; lacksAgent?: boolean }
  const present = (row: AgentJobRow, { usual = null, ...known }: Known) =>
    toAgentJob(row, { now: now(), usual, ownLink, ...known, ...abilitiesAt(row.connectionId) })
  const presentListed = (row: AgentJobRow, known: Known) => ({
    ...present(row, known),
    ...describeRemoval(row, retentionDays),
  })
  /** Tells the jobs whose latest prompt needs an agent that the service does not have. */
  const findAgentless = async (rows: readonly AgentJobRow[]) => {
    const own = hasAgent ? [] : rows.filter(({ connectionId }) => connections.isEmbedded(connectionId))
    const isOrder = await readOrders(db, own)
    return (row: AgentJobRow) => own.includes(row) && !isOrder(row)
  }

  const read = async (key: JobKey) => {
    const row = await findFollowed(db, key)
    const [usual, problem, isAgentless] = await Promise.all([
      durations.forOne(row),
      readPullRequestProblem(db, row),
      findAgentless([row]),
    ])
    return present(row, { usual, problem, lacksAgent: isAgentless(row) })
  }
  const locate = (job: RequestedJob) => locateJob(db, job)
  const mark = (verb: Mark<JobKey>) => async (job: RequestedJob, by: Actor) => {
    const key = await locate(job)
    await verb(db, key, { at: new Date(now()), by })
    return read(key)
  }
  const askTo = (action: JobAction) => async (job: RequestedJob, by: Actor) => {
    const key = await locate(job)
    const here = connections.open(key.connectionId)
    // A failed call makes the job due.
    await here.act(key, action, by).finally(here.watcher.wake)
    return read(key)
  }

  return {
    /** Follows several jobs. Reports a job that cannot be read, and does not follow it. `forbidden` for a project outside the scope. */
    follow: async ({ connectionId, jobs: keys }: FollowAgentJobs, by: Actor, scope: TokenScope) => {
      const { projectIds } = scope
      const outside = keys.find(({ projectId }) => !isWithin(projectIds, projectId))
      if (outside !== undefined)
        throw new AppError('forbidden', `This token may not follow jobs of ${outside.projectId}.`, { field: 'jobs' })
      const here = connections.open(await connections.choose(connectionId, scope))
      const outcomes = await here.follow(keys, by)
      here.watcher.wake()
      const usual = await durations.forWorking(outcomes.flatMap(({ row }) => row ?? []))
      return {
        results: outcomes.map(({ row, ...outcome }, place) => ({
          key: keys[place]!,
          job: row === null ? null : present(row, { usual: usual(row) }),
          ...outcome,
        })),
      }
    },
    /** One page of the jobs that the service lists in a project. `forbidden` outside the scope, `conflict` where it is switched off. */
    listed: async ({ connection, projectId, skip }: ListedPage, scope: TokenScope) => {
      if (!isWithin(scope.projectIds, projectId))
        throw new AppError('forbidden', `This token may not list jobs of ${projectId}.`, { field: 'projectId' })
      return connections.open(await connections.choose(connection, scope)).list({ projectId, skip })
    },
    /** Names the content of the list as it is now; reads one row. */
    current: async () => ({ tag: await currentTag(db, 'agent_jobs'), now: now() }),
    /** A page, and when it changes by itself although its tag stays (milliseconds since the epoch, or null). */
    list: async (query: AgentJobListQuery, scope: TokenScope) => {
      const page = await pageOfAgentJobs(db, query, { ...narrowScope(scope, query), now: now() })
      const { items, nextCursor, counts, until } = page
      const [usual, isAgentless] = await Promise.all([durations.forWorking(items), findAgentless(items)])
      const listed = items.map((row) => presentListed(row, { usual: usual(row), lacksAgent: isAgentless(row) }))
      return { value: { items: listed, nextCursor, counts }, until }
    },
    /** All jobs that match the filters, in pieces. Rejects before the first piece when a filter is invalid. */
    export: async (query: AgentJobCsvQuery, scope: TokenScope) => {
      const pieces = await allJobs(db, { ...query, limit: 50 }, narrowScope(scope, query))
      return { now: now(), pieces: mapPieces(pieces, (rows) => rows.map((row) => presentListed(row, {}))) }
    },
    /** Check times of the jobs on a page. */
    checks: async (query: AgentJobListQuery, scope: TokenScope) => {
      const { items } = await rowsOfPage(db, query, narrowScope(scope, query))
      const checks = items.map((row) => {
        const { checkFailure, ...check } = present(row, {})
        return { ...check, failedAt: checkFailure?.at ?? null }
      })
      return { checks }
    },
    /** Values for the filters of the list. */
    filters: (scope: TokenScope) => filtersOfAgentJobs(db, scope),
    /** Finds the connection of a job. Rejects with `not_found` for one outside the scope, as for an unknown one, and as `locateJob` does. */
    ensureInScope: async (job: RequestedJob, { projectIds, connectionIds }: TokenScope) => {
      if (!isWithin(projectIds, job.projectId)) throw notFollowed()
      return (await locateJob(db, job, connectionIds)).connectionId
    },
    get: async (job: RequestedJob) => read(await locate(job)),
    history: (job: RequestedJob) =>
      recordHistory(
        { db, now, retentionDays },
        async () => ({ type: 'agent_job' as const, ...(await locate(job)) }),
        (key) => findFollowed(db, key),
      ),
    /** Deletes jobs that were removed before the retention, with their events and prompts. Returns their number. */
    purgeRemoved: async () => {
      const retention = { now: now(), days: retentionDays }
      const jobs = await purgeRemovedRecords(db, removable, retention)
      if (jobs > 0) await bumpRevision(db, 'agent_jobs')
      return jobs + (await purgePrompts(db, retention))
    },
    /** Stops following a job, until `restore`. Idempotent. */
    remove: async (job: RequestedJob, by: Actor) => {
      await removeJob(db, await locate(job), { at: new Date(now()), by })
    },
    /** Undoes `remove` without a call to the service. */
    restore: async (job: RequestedJob, by: Actor) => {
      const key = await locate(job)
      const here = connections.find(key.connectionId)
      await here?.schedule.refresh()
      await restoreJob(db, key, { now: now(), schedule: here?.schedule ?? idleSchedule }, by)
      here?.watcher.wake()
      return read(key)
    },
    /** Says that a job needs no attention, until `undoDismissal`. Idempotent. */
    dismiss: mark(jobMarks.dismiss),
    undoDismissal: mark((_, key, act) => db.transaction((tx) => jobMarks.undoDismissal(tx, key, act))),
    /** Writes the note of a job; an empty one removes it. */
    note: (job: RequestedJob, { note, by }: { note: string; by: Actor }) =>
      mark((tx, key, act) => jobMarks.note(tx, key, { note, ...act }))(job, by),
    /** Reads a job upstream now. A failed read sets `checkFailure`; rejects only while the service asks for a pause. */
    check: async (job: RequestedJob, by: Actor) => {
      const key = await locate(job)
      const here = connections.open(key.connectionId)
      if (!(await here.readNow(key, by))) throw notFollowed()
      await here.readPullRequest(key)
      here.watcher.wake()
      return read(key)
    },
    /** Asks the service to cancel a job. `conflict` with the reason when that is not possible. */
    cancel: askTo('cancel'),
    archive: askTo('archive'),
    /** Writes what a person says of the pull request; null takes it back. */
    markPullRequest: (job: RequestedJob, { state, by }: { state: PullRequestState | null; by: Actor }) =>
      mark((tx, key, act) => markPullRequest(tx, key, { state, ...act }))(job, by),
    /** Part of the agent's output. `not_found` where the service offers none. */
    log: async (job: RequestedJob, offset: number) => {
      const row = await findFollowed(db, await locate(job))
      const here = connections.open(row.connectionId)
      if (!here.abilities.embedded || !row.isDetailed) throw new AppError('not_found', 'This service offers no logs.')
      return here.readLog({ projectId: row.projectId, id: row.id, offset })
    },
    /** Commits and diff. `not_found` where Docket can't read them. */
    changes: async (job: RequestedJob) => {
      const { connectionId, projectId, id } = await findFollowed(db, await locate(job))
      const found = connections.isEmbedded(connectionId) ? await deps.changes?.(projectId, id) : undefined
      if (found === undefined)
        throw new AppError('not_found', 'Docket can’t read the changes of this job. See its pull request.')
      if (found === null) throw new AppError('not_found', 'This job has no changes to show.')
      return found
    },
    /** Number of working jobs within the scope. */
    countActive: (scope: TokenScope) => countActive(db, scope),
  }
}

/** Follows agent jobs and reads their last state. `not_found` for a job that nobody follows. */
export type AgentJobService = ReturnType<typeof agentJobService>
