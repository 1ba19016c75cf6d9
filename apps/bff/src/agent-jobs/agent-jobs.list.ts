import {
  AgentJobGroup,
  type AgentJobFilters,
  type AgentJobList,
  type AgentJobListQuery,
} from '@docket/api-types/agent-jobs'
import { and, eq, isNull, type SQL } from 'drizzle-orm'
import { graceEnd, type AgentJobRow } from '#agent-jobs/agent-jobs.meaning.ts'
import { agentJobs, searchableJob } from '#agent-jobs/agent-jobs.table.ts'
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
import { beginsWords } from '#db/words.ts'
import type { Reach } from '#http/access/reach.ts'

const order = {
  at: agentJobs.followedAt,
  keys: [agentJobs.projectId, agentJobs.id],
  placeOf: ({ followedAt, projectId, id }: AgentJobRow): [number, string[]] => [followedAt.getTime(), [projectId, id]],
}

const orders = {
  newest: pages(order),
  oldest: pages({ ...order, oldestFirst: true }),
  repository: pages({
    ...order,
    lead: { column: agentJobs.repository, of: ({ repository }: AgentJobRow) => repository },
  }),
}

const noJobs = Object.fromEntries(AgentJobGroup.options.map((group) => [group, 0])) as Record<AgentJobGroup, number>

const inReach = (projectIds: Reach['projectIds']) => within(agentJobs.projectId, projectIds)

const countsOf = (db: Database, projectIds: Reach['projectIds']) => {
  const which = inReach(projectIds)
  return which === undefined ? groupCounts(db, 'agent_jobs') : countGroups(db, agentJobs, which)
}

/** How many followed jobs (of some projects) can still change. */
export const countActive = async (db: Database, projectIds: Reach['projectIds'] = null): Promise<number> =>
  (await countsOf(db, projectIds))['working'] ?? 0

/** What `q`, `repository`, `model` and `attention` ask for; undefined for nothing. */
const filterOf = ({ q, repository, model, attention }: AgentJobListQuery, now: number): SQL | undefined =>
  and(
    repository === undefined ? undefined : eq(agentJobs.repository, repository),
    model === undefined ? undefined : eq(agentJobs.model, model),
    attention === true ? needsAttention(agentJobs, now) : undefined,
    beginsWords(searchableJob(agentJobs), q),
  )

// The index of words, and that of trouble, are in another order.
const isOrdered = ({ q, attention }: AgentJobListQuery) => q === undefined && attention !== true

/** When somebody looks, and at which projects. */
type View = { now: number; projectIds: Reach['projectIds'] }

const inGroup = ({ group }: AgentJobListQuery): SQL | undefined =>
  group === undefined ? undefined : eq(agentJobs.group, group)

const countAgentJobs = async (db: Database, query: AgentJobListQuery, { now, projectIds }: View) => {
  const filter = filterOf(query, now)
  const own = inReach(projectIds)
  const [counted, { attention, until }, matches] = await Promise.all([
    countsOf(db, projectIds),
    countTrouble(db, agentJobs, now, own),
    filter === undefined
      ? null
      : countMatches(db, agentJobs, and(inGroup(query), filter, own), isOrdered(query) ? orders.newest.order : null),
  ])
  const groups = { ...noJobs, ...counted }
  const all = Object.values(groups).reduce((sum, count) => sum + count, 0)
  const matching = matches ?? (query.group === undefined ? null : { count: groups[query.group], more: false })
  const counts: AgentJobList['counts'] = { all, active: groups.working, attention, groups, matching }
  return { counts, until }
}

const earliest = (moments: readonly (number | null)[], now: number): number | null => {
  const coming = moments.filter((moment) => moment !== null && moment > now).map(Number)
  return coming.length === 0 ? null : Math.min(...coming)
}

/** When the first of these jobs stops to be `finishing`, all by itself; null when none will. Milliseconds since the epoch. */
export const changesAt = (rows: readonly AgentJobRow[], now: number): number | null => earliest(rows.map(graceEnd), now)

/**
 * One page of followed jobs (of some projects) and the counts of the list, at `now`. `until`: when they change by themselves (a job stops to be
 * `finishing`, or to need attention), or null. Both in milliseconds since the epoch.
 */
export const pageOfAgentJobs = async (db: Database, query: AgentJobListQuery, { now, projectIds }: View) => {
  const { order: by, read } = orders[query.sort]
  const filter = and(isNull(agentJobs.removedAt), inGroup(query), filterOf(query, now), inReach(projectIds))
  const [page, { counts, until }] = await Promise.all([
    read(query, (range, limit) =>
      db
        .select()
        .from(agentJobs)
        .where(query.q === undefined ? and(filter, range) : foundFirst(agentJobs, and(filter, range), by, limit))
        .orderBy(...by)
        .limit(limit),
    ),
    countAgentJobs(db, query, { now, projectIds }),
  ])
  return { ...page, counts, until: earliest([changesAt(page.items, now), until], now) }
}

/** The first 100 repositories and models of followed jobs (of some projects), alphabetical. */
export const filtersOfAgentJobs = async (db: Database, projectIds: Reach['projectIds']): Promise<AgentJobFilters> => {
  const own = inReach(projectIds)
  const [repositories, models] = await Promise.all([
    distinctValues(db, agentJobs, agentJobs.repository, own),
    distinctValues(db, agentJobs, agentJobs.model, own),
  ])
  return { repositories, models }
}
