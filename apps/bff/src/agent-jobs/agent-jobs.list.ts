import {
  type AgentJobFilters,
  AgentJobGroup,
  type AgentJobList,
  type AgentJobListQuery,
} from '@docket/api-types/agent-jobs'
import { and, desc, eq, isNull, or, type SQL } from 'drizzle-orm'
import type { Activity, RecordKey } from '@docket/api-types/activity'
import type { Database } from '#db/database.ts'
import {
  countGroups,
  countMatches,
  countTrouble,
  distinctValues,
  foundFirst,
  needsAttention,
  within,
} from '#db/list-queries.ts'
import { pages } from '#db/pages.ts'
import { groupCounts } from '#db/revision.ts'
import { beginsTerms } from '#db/search.ts'
import type { Titles } from '#history/endings.ts'
import { printRecordKey } from '#history/history.ts'
import type { TokenScope } from '#http/access/token-scope.ts'
import { lateReads, nextReads } from '#polling/due-reads.ts'
import { type AgentJobRow, deriveMeaning, formatTitle, graceEnd } from './agent-jobs.state.ts'
import { agentJobs, searchableJob } from './agent-jobs.table.ts'
import { isJob } from './agent-jobs.rows.ts'

const order = {
  at: agentJobs.followedAt,
  keys: [agentJobs.projectId, agentJobs.id],
  toPlace: ({ followedAt, projectId, id }: AgentJobRow): [number, string[]] => [followedAt.getTime(), [projectId, id]],
}

const orders = {
  newest: pages(order),
  oldest: pages({ ...order, oldestFirst: true }),
  repository: pages({
    ...order,
    lead: { column: agentJobs.repository, read: ({ repository }: AgentJobRow) => repository },
  }),
}

const noJobs = Object.fromEntries(AgentJobGroup.options.map((group) => [group, 0])) as Record<AgentJobGroup, number>

const inScope = (projectIds: TokenScope['projectIds']) => within(agentJobs.projectId, projectIds)

const countWithin = (db: Database, projectIds: TokenScope['projectIds']) => {
  const which = inScope(projectIds)
  return which === undefined ? groupCounts(db, 'agent_jobs') : countGroups(db, agentJobs, which)
}

/** Counts the followed jobs (of some projects) that can still change. */
export const countActive = async (db: Database, projectIds: TokenScope['projectIds'] = null): Promise<number> =>
  (await countWithin(db, projectIds))['working'] ?? 0

/** Converts the filters of a query to a condition. Undefined without a filter. */
const toFilter = ({ q, repository, model, attention }: AgentJobListQuery, now: number): SQL | undefined =>
  and(
    repository === undefined ? undefined : eq(agentJobs.repository, repository),
    model === undefined ? undefined : eq(agentJobs.model, model),
    attention === true ? needsAttention(agentJobs, now) : undefined,
    beginsTerms(searchableJob(agentJobs), q),
  )

// The indexes for searches and for `attention` return rows in another order.
const isOrdered = ({ q, attention }: AgentJobListQuery) => q === undefined && attention !== true

/** Time and projects of a request. */
type View = { now: number; projectIds: TokenScope['projectIds'] }

const inGroup = ({ group }: AgentJobListQuery): SQL | undefined =>
  group === undefined ? undefined : eq(agentJobs.group, group)

const countAgentJobs = async (db: Database, query: AgentJobListQuery, { now, projectIds }: View) => {
  const filter = toFilter(query, now)
  const own = inScope(projectIds)
  const [byGroup, { attention, until }, matches] = await Promise.all([
    countWithin(db, projectIds),
    countTrouble(db, agentJobs, now, own),
    filter === undefined
      ? null
      : countMatches(db, agentJobs, and(inGroup(query), filter, own), isOrdered(query) ? orders.newest.order : null),
  ])
  const groups = { ...noJobs, ...byGroup }
  const all = Object.values(groups).reduce((sum, count) => sum + count, 0)
  const matching = matches ?? (query.group === undefined ? null : { count: groups[query.group], more: false })
  const counts: AgentJobList['counts'] = { all, active: groups.working, attention, groups, matching }
  return { counts, until }
}

const earliest = (moments: readonly (number | null)[], now: number): number | null => {
  const coming = moments.filter((moment) => moment !== null && moment > now).map(Number)
  return coming.length === 0 ? null : Math.min(...coming)
}

/**
 * When the first of these jobs leaves `finishing` without a write. Milliseconds since the epoch; null when none does.
 */
export const changesAt = (rows: readonly AgentJobRow[], now: number): number | null => earliest(rows.map(graceEnd), now)

/** One page of followed jobs (of some projects). */
export const rowsOfPage = (db: Database, query: AgentJobListQuery, { now, projectIds }: View) => {
  const { order: by, read } = orders[query.sort]
  const filter = and(isNull(agentJobs.removedAt), inGroup(query), toFilter(query, now), inScope(projectIds))
  return read(query, (range, limit) =>
    db
      .select()
      .from(agentJobs)
      .where(query.q === undefined ? and(filter, range) : foundFirst(agentJobs, and(filter, range), by, limit))
      .orderBy(...by)
      .limit(limit),
  )
}

/**
 * One page of followed jobs (of some projects) with the counts of the list as of `now`. `until` is when they next change without a write (a
 * job is no longer `finishing`, or no longer needs attention), or null. Both in milliseconds since the epoch.
 */
export const pageOfAgentJobs = async (db: Database, query: AgentJobListQuery, view: View) => {
  const [page, { counts, until }] = await Promise.all([rowsOfPage(db, query, view), countAgentJobs(db, query, view)])
  return { ...page, counts, until: earliest([changesAt(page.items, view.now), until], view.now) }
}

/** The first 100 repositories and models of followed jobs (of some projects), alphabetical. */
export const filtersOfAgentJobs = async (
  db: Database,
  projectIds: TokenScope['projectIds'],
): Promise<AgentJobFilters> => {
  const own = inScope(projectIds)
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
  const rows = await db
    .select()
    .from(agentJobs)
    .where(and(eq(agentJobs.group, 'working'), isNull(agentJobs.removedAt), within(agentJobs.projectId, projectIds)))
    .orderBy(desc(agentJobs.followedAt), agentJobs.projectId, agentJobs.id)
    .limit(limit)
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
