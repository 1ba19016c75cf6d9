import { type AgentJobFilters, AgentJobGroup, type AgentJobListQuery } from '@docket/api-types/agent-jobs'
import { and, eq, isNull, or } from 'drizzle-orm'
import type { Activity, RecordKey } from '@docket/api-types/activity'
import type { Database } from '#db/database.ts'
import { distinctValues, within } from '#db/list-queries.ts'
import { recordList } from '#db/record-list.ts'
import type { Titles } from '#history/endings.ts'
import { printRecordKey } from '#history/history.ts'
import type { TokenScope } from '#http/access/token-scope.ts'
import { lateReads, nextReads } from '#polling/due-reads.ts'
import { type AgentJobRow, deriveMeaning, formatTitle, graceEnd } from './agent-jobs.state.ts'
import { agentJobs, searchableJob } from './agent-jobs.table.ts'
import { isJob } from './agent-jobs.rows.ts'

const list = recordList({
  list: { name: 'agent_jobs', table: agentJobs },
  groups: AgentJobGroup.options,
  active: 'working',
  scope: { name: 'projectIds', column: agentJobs.projectId },
  order: {
    at: agentJobs.followedAt,
    keys: [agentJobs.projectId, agentJobs.id],
    toPlace: ({ followedAt, projectId, id }: AgentJobRow) => [followedAt.getTime(), [projectId, id]],
  },
  lead: { column: agentJobs.repository, read: ({ repository }) => repository },
  words: searchableJob(agentJobs),
  filter: ({ repository, model }: AgentJobListQuery) =>
    and(
      repository === undefined ? undefined : eq(agentJobs.repository, repository),
      model === undefined ? undefined : eq(agentJobs.model, model),
    ),
})

/** Counts and rows of followed jobs (of some projects). */
export const { countActive, rowsOfPage } = list

const earliest = (moments: readonly (number | null)[], now: number): number | null => {
  const coming = moments.filter((moment) => moment !== null && moment > now).map(Number)
  return coming.length === 0 ? null : Math.min(...coming)
}

/**
 * When the first of these jobs leaves `finishing` without a write. Milliseconds since the epoch; null when none does.
 */
export const changesAt = (rows: readonly AgentJobRow[], now: number): number | null => earliest(rows.map(graceEnd), now)

/**
 * One page of followed jobs (of some projects) with the counts of the list as of `now`. `until` is when they next change without a write (a
 * job is no longer `finishing`, or no longer needs attention), or null. Both in milliseconds since the epoch.
 */
export const pageOfAgentJobs = async (...[db, query, view]: Parameters<typeof list.page>) => {
  const page = await list.page(db, query, view)
  return { ...page, until: earliest([changesAt(page.items, view.now), page.until], view.now) }
}

/** The first 100 repositories and models of followed jobs (of some projects), alphabetical. */
export const filtersOfAgentJobs = async (
  db: Database,
  projectIds: TokenScope['projectIds'],
): Promise<AgentJobFilters> => {
  const own = within(agentJobs.projectId, projectIds)
  const [repositories, models] = await Promise.all([
    distinctValues(db, agentJobs, agentJobs.repository, own),
    distinctValues(db, agentJobs, agentJobs.model, own),
  ])
  return { repositories, models }
}

const toRecordKey = ({ projectId, id }: Pick<AgentJobRow, 'projectId' | 'id'>): RecordKey => ({
  type: 'agent_job',
  projectId,
  id,
})

/** The newest working jobs within the scope, at `now` (milliseconds since the epoch). */
export const workingJobs = async (
  db: Database,
  limit: number,
  { now, projectIds }: { now: number; projectIds: TokenScope['projectIds'] },
): Promise<Activity['running']> => {
  const rows = await list.newestActive(db, limit, projectIds)
  return rows.map((row) => ({
    key: toRecordKey(row),
    title: formatTitle(row),
    state: deriveMeaning(row, now),
    status: row.status,
    progress: null,
    since: row.followedAt.toISOString(),
  }))
}

/** Titles of jobs. Leaves out projects outside the scope. */
export const jobTitles = (db: Database, projectIds: TokenScope['projectIds']): Titles => ({
  type: 'agent_job',
  find: async (keys) => {
    const named = keys.flatMap((key) => (key.type === 'agent_job' ? isJob(key) : []))
    if (named.length === 0) return new Map()
    const rows = await db
      .select({ projectId: agentJobs.projectId, id: agentJobs.id, repository: agentJobs.repository })
      .from(agentJobs)
      .where(and(or(...named), isNull(agentJobs.removedAt), within(agentJobs.projectId, projectIds)))
    return new Map(rows.map((row) => [printRecordKey(toRecordKey(row)), formatTitle(row)]))
  },
})

/** Overdue and next reads of jobs. `now` in milliseconds since the epoch. */
export const jobReads = (db: Database, now: () => number) => ({
  calls: 'agent_jobs' as const,
  late: () => lateReads(db, agentJobs, { now: now() }),
  next: async (limit: number) =>
    (await nextReads(db, agentJobs, { limit })).map((row) => ({
      key: { type: 'agent_job' as const, projectId: row.projectId, id: row.id },
      title: formatTitle(row),
      nextCheckAt: row.nextCheckAt.toISOString(),
    })),
})
