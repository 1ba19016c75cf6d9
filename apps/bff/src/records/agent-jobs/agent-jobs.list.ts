import { type AgentJobFilters, AgentJobGroup, type AgentJobListQuery } from '@docket/api-types/agent-jobs'
import { and, eq, isNull, or } from 'drizzle-orm'
import type { Activity } from '@docket/api-types/activity'
import type { RecordKey } from '@docket/api-types/history'
import type { Database } from '#ground/db/database.ts'
import { readDistinctValues } from '#ground/db/list-queries.ts'
import { createRecordList } from '#ground/db/record-list.ts'
import { nameRecord, type Titles } from '#service/history/endings.ts'
import type { TokenScope } from '#ground/http/access/token-scope.ts'
import { type AgentJobRow, deriveMeaning, formatTitle, findGraceEnd } from './agent-jobs.state.ts'
import { agentJobs, searchableJob } from './agent-jobs.table.ts'

const list = createRecordList({
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
  filter: ({ repository, model, projectId }: AgentJobListQuery) =>
    and(
      projectId === undefined ? undefined : eq(agentJobs.projectId, projectId),
      repository === undefined ? undefined : eq(agentJobs.repository, repository),
      model === undefined ? undefined : eq(agentJobs.model, model),
    ),
})

export const { countActive, rowsOfPage, allRows: allJobs } = list

/** Returns when the first job leaves `finishing` without a write, in milliseconds since the epoch. Null when no job does. */
export const findNextGraceEnd = (rows: readonly AgentJobRow[], now: number): number | null => {
  const coming = rows.map(findGraceEnd).filter((moment) => moment !== null && moment > now)
  return coming.length === 0 ? null : Math.min(...coming.map(Number))
}

/** `until` is when the first job on the page stops being `finishing`, or null. `now` and `until` in milliseconds since the epoch. */
export const readAgentJobPage = async (
  db: Database,
  query: AgentJobListQuery,
  { now, ...visible }: Parameters<typeof list.page>[2] & { now: number },
) => {
  const page = await list.page(db, query, visible)
  return { ...page, until: findNextGraceEnd(page.items, now) }
}

/** Returns the first 100 values of each filter in alphabetical order. */
export const readAgentJobFilters = async (db: Database, scope: TokenScope): Promise<AgentJobFilters> => {
  const own = list.seen(scope)
  const [repositories, models] = await Promise.all([
    readDistinctValues(db, agentJobs, agentJobs.repository, own),
    readDistinctValues(db, agentJobs, agentJobs.model, own),
  ])
  return { repositories, models }
}

const toRecordKey = ({
  connectionId,
  projectId,
  id,
}: Pick<AgentJobRow, 'connectionId' | 'projectId' | 'id'>): RecordKey => ({
  type: 'agent_job',
  connectionId,
  projectId,
  id,
})

/** `now` in milliseconds since the epoch. */
export const listWorkingJobs = async (
  db: Database,
  limit: number,
  { now, scope }: { now: number; scope: TokenScope },
): Promise<Activity['running']> => {
  const rows = await list.newestActive(db, limit, scope)
  return rows.map((row) => ({
    key: toRecordKey(row),
    title: formatTitle(row),
    connectionId: row.connectionId,
    state: deriveMeaning(row, now),
    status: row.status,
    progress: null,
    since: row.followedAt.toISOString(),
  }))
}

/** Omits jobs outside the scope. */
export const createJobTitleFinder = (db: Database, scope: TokenScope): Titles => ({
  type: 'agent_job',
  find: async (keys) => {
    const named = keys.flatMap((key) =>
      key.type === 'agent_job' ? (and(eq(agentJobs.projectId, key.projectId), eq(agentJobs.id, key.id)) ?? []) : [],
    )
    if (named.length === 0) return new Map()
    const rows = await db
      .select({
        connectionId: agentJobs.connectionId,
        projectId: agentJobs.projectId,
        id: agentJobs.id,
        title: agentJobs.title,
        ref: agentJobs.ref,
        repository: agentJobs.repository,
      })
      .from(agentJobs)
      .where(and(or(...named), isNull(agentJobs.removedAt), list.seen(scope)))
    return new Map(
      rows.flatMap((row) => {
        const titled = { title: formatTitle(row), connectionId: row.connectionId }
        const { projectId, id } = row
        return [
          [nameRecord(toRecordKey(row)), titled],
          [nameRecord({ type: 'agent_job', projectId, id }), titled],
        ]
      }),
    )
  },
})

export const jobReads = {
  table: agentJobs,
  readableAt: (connectionId: string) => eq(agentJobs.connectionId, connectionId),
  toTitled: (row: AgentJobRow) => ({ key: toRecordKey(row), title: formatTitle(row) }),
}
