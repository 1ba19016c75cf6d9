import { and, isNotNull, isNull } from 'drizzle-orm'
import { graceEndOf, type AgentJobRow } from '#agent-jobs/agent-jobs.meaning.ts'
import { agentJobs } from '#agent-jobs/agent-jobs.table.ts'
import type { Database } from '#db/database.ts'
import { pages, type PageQuery } from '#db/pages.ts'

const { after, order, cut } = pages<AgentJobRow>({
  at: agentJobs.followedAt,
  keys: [agentJobs.projectId, agentJobs.id],
  placeOf: ({ followedAt, projectId, id }) => [followedAt.getTime(), [projectId, id]],
})

const listed = isNull(agentJobs.removedAt)

/** How many jobs are followed. */
const countAll = (db: Database): Promise<number> => db.$count(agentJobs, listed)

/** How many followed jobs can still change. They all have a next check, so the index of those is enough. */
export const countActive = (db: Database): Promise<number> =>
  db.$count(
    agentJobs,
    and(listed, isNotNull(agentJobs.nextCheckAt), isNull(agentJobs.finishedAt), isNull(agentJobs.goneAt)),
  )

/** Both counts of the list. */
export const countAgentJobs = async (db: Database): Promise<{ all: number; active: number }> => {
  const [all, active] = await Promise.all([countAll(db), countActive(db)])
  return { all, active }
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
