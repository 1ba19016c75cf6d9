import { AgentJobGroup, type AgentJobList } from '@docket/api-types/agent-jobs'
import { and, isNull } from 'drizzle-orm'
import { graceEndOf, type AgentJobRow } from '#agent-jobs/agent-jobs.meaning.ts'
import { agentJobs } from '#agent-jobs/agent-jobs.table.ts'
import type { Database } from '#db/database.ts'
import { pages, type PageQuery } from '#db/pages.ts'
import { groupCounts } from '#db/revision.ts'

const { after, order, cut } = pages<AgentJobRow>({
  at: agentJobs.followedAt,
  keys: [agentJobs.projectId, agentJobs.id],
  placeOf: ({ followedAt, projectId, id }) => [followedAt.getTime(), [projectId, id]],
})

const listed = isNull(agentJobs.removedAt)

const noJobs = Object.fromEntries(AgentJobGroup.options.map((group) => [group, 0])) as Record<AgentJobGroup, number>

/** How many followed jobs can still change. */
export const countActive = async (db: Database): Promise<number> =>
  (await groupCounts(db, 'agent_jobs'))['working'] ?? 0

/** The counts of the list. */
export const countAgentJobs = async (db: Database): Promise<AgentJobList['counts']> => {
  const groups = { ...noJobs, ...(await groupCounts(db, 'agent_jobs')) }
  const all = Object.values(groups).reduce((sum, count) => sum + count, 0)
  return { all, active: groups.working, attention: 0, groups, matching: null }
}

/** The query of one page and a row more, newest followed first. */
export const agentJobPageQuery = (db: Database, page: PageQuery) =>
  db
    .select()
    .from(agentJobs)
    .where(and(listed, after(page)))
    .orderBy(...order)
    .limit(page.limit + 1)

/** One page of followed jobs, newest followed first. */
export const pageOfAgentJobs = async (db: Database, page: PageQuery) => cut(await agentJobPageQuery(db, page), page)

/** When the first of these jobs stops to be `finishing`, all by itself; null when none will. Milliseconds since the epoch. */
export const changesAt = (rows: readonly AgentJobRow[], now: number): number | null => {
  const ends = rows.map(graceEndOf).filter((end) => end !== null && end > now)
  return ends.length === 0 ? null : Math.min(...ends.map(Number))
}
