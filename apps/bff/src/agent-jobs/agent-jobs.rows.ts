import { and, eq, isNotNull, isNull, type SQL } from 'drizzle-orm'
import type { AgentJobKey } from '@docket/api-types/agent-jobs'
import type { Database, Tx } from '#db/database.ts'
import { countChange } from '#db/revision.ts'
import { type NewEvent, recordEvents } from '#history/history.ts'
import { type AgentJobRow, selectWritable } from './agent-jobs.state.ts'
import { agentJobs } from './agent-jobs.table.ts'

/** Condition for one job. */
export const isJob = ({ projectId, id }: AgentJobKey): SQL | undefined =>
  and(eq(agentJobs.projectId, projectId), eq(agentJobs.id, id))

/** Bumps the revision of a changed job. Call it last in the transaction. */
export const countJobChange = (tx: Tx, key: AgentJobKey): Promise<void> =>
  countChange(tx, { name: 'agent_jobs', table: agentJobs }, isJob(key))

/** Writes events of a job. Call it last in the transaction, after `countJobChange`. */
export const recordJobEvents = (tx: Tx, { projectId, id }: AgentJobKey, events: readonly NewEvent[]): Promise<void> =>
  recordEvents(tx, { type: 'agent_job', projectId, id }, events)

/** Creates the row of a job that was never read. */
export const newJobRow = ({ projectId, id }: AgentJobKey, followedAt: Date): AgentJobRow => ({
  projectId,
  id,
  followedAt,
  status: null,
  repository: null,
  ref: null,
  model: null,
  prLink: null,
  createdAt: null,
  archivedAt: null,
  finishedAt: null,
  tookMs: null,
  goneAt: null,
  nextCheckAt: null,
  leaseOwner: null,
  leaseUntil: null,
  changingSince: null,
  unfinishedAt: null,
  viewedUntil: null,
  group: 'working',
  troubledAt: null,
  failures: 0,
  checkedAt: null,
  checkFailure: null,
  revision: 0,
  removedAt: null,
})

/** Finds a listed job. Undefined when it is unknown or removed. */
export const findListed = async (db: Database, key: AgentJobKey): Promise<AgentJobRow | undefined> => {
  const [row] = await db
    .select()
    .from(agentJobs)
    .where(and(isJob(key), isNull(agentJobs.removedAt)))
  return row
}

/** Lists a job and bumps the revision. Returns false and changes nothing when it is already listed. */
export const insertJob = async (tx: Tx, row: AgentJobRow): Promise<boolean> => {
  const updated = await tx
    .insert(agentJobs)
    .values(selectWritable(row))
    .onConflictDoUpdate({
      target: [agentJobs.projectId, agentJobs.id],
      set: selectWritable(row),
      setWhere: isNotNull(agentJobs.removedAt),
    })
    .returning({ id: agentJobs.id })
  if (updated.length > 0) await countJobChange(tx, row)
  return updated.length > 0
}
