import type { Activity, RecordKey } from '@docket/api-types/activity'
import { and, desc, eq, isNull, or } from 'drizzle-orm'
import { deriveMeaning, type AgentJobRow } from '#agent-jobs/agent-jobs.meaning.ts'
import { isJob } from '#agent-jobs/agent-jobs.reader.ts'
import { agentJobs } from '#agent-jobs/agent-jobs.table.ts'
import { formatTitle } from '#agent-jobs/agent-jobs.title.ts'
import type { Database } from '#db/database.ts'
import { within } from '#db/list-queries.ts'
import type { Titles } from '#history/endings.ts'
import { recordKeyOf } from '#history/history.ts'
import type { Reach } from '#http/access/reach.ts'

const keyOf = ({ projectId, id }: Pick<AgentJobRow, 'projectId' | 'id'>): RecordKey => ({
  type: 'agent_job',
  projectId,
  id,
})

/** The newest followed jobs (of some projects) that work, at `now` in milliseconds since the epoch. */
export const workingJobs = async (
  db: Database,
  limit: number,
  { now, projectIds }: { now: number; projectIds: Reach['projectIds'] },
): Promise<Activity['running']> => {
  const rows = await db
    .select()
    .from(agentJobs)
    .where(and(eq(agentJobs.group, 'working'), isNull(agentJobs.removedAt), within(agentJobs.projectId, projectIds)))
    .orderBy(desc(agentJobs.followedAt), agentJobs.projectId, agentJobs.id)
    .limit(limit)
  return rows.map((row) => ({
    key: keyOf(row),
    title: formatTitle(row),
    state: deriveMeaning(row, now),
    status: row.status,
    progress: null,
    since: row.followedAt.toISOString(),
  }))
}

/** What followed jobs are called; those of other projects are not called at all. */
export const jobTitles = (db: Database, projectIds: Reach['projectIds']): Titles => ({
  type: 'agent_job',
  of: async (keys) => {
    const named = keys.flatMap((key) => (key.type === 'agent_job' ? isJob(key) : []))
    if (named.length === 0) return new Map()
    const rows = await db
      .select({ projectId: agentJobs.projectId, id: agentJobs.id, repository: agentJobs.repository })
      .from(agentJobs)
      .where(and(or(...named), isNull(agentJobs.removedAt), within(agentJobs.projectId, projectIds)))
    return new Map(rows.map((row) => [recordKeyOf(keyOf(row)), formatTitle(row)]))
  },
})
