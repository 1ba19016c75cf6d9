import { and, eq, getTableColumns, isNotNull, isNull, sql, type SQL } from 'drizzle-orm'
import type { AgentJobKey } from '@docket/api-types/agent-jobs'
import type { Database, Tx } from '#ground/db/database.ts'
import { matchesAnyValue } from '#ground/db/list-queries.ts'
import { countChange } from '#ground/db/revision.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { type NewEvent, recordEvents } from '#service/history/history.ts'
import { type AgentJobRow, selectWritableColumns, addAcceptedPrompt } from './agent-jobs.state.ts'
import { agentJobs } from './agent-jobs.table.ts'

export type JobKey = AgentJobKey & { connectionId: string }

/** A request may omit the connection while only one connection has such a job. */
export type RequestedJob = AgentJobKey & { connection?: string | undefined }

export const isJob = ({ connectionId, projectId, id }: JobKey): SQL | undefined =>
  and(eq(agentJobs.connectionId, connectionId), eq(agentJobs.projectId, projectId), eq(agentJobs.id, id))

export const jobNotFollowedError = () =>
  new AppError('not_found', 'This agent job isn’t on the list. Add it by its project and job ID.')

/** Null `connectionIds`: all. Throws `not_found` for an unknown job, and `conflict` when several connections have it. */
export const locateJob = async (
  db: Database,
  { connection, projectId, id }: RequestedJob,
  connectionIds: readonly string[] | null = null,
): Promise<JobKey> => {
  const named = and(eq(agentJobs.projectId, projectId), eq(agentJobs.id, id))
  const rows = await db
    .select({ connectionId: agentJobs.connectionId, removedAt: agentJobs.removedAt })
    .from(agentJobs)
    .where(
      and(
        named,
        connection === undefined ? undefined : eq(agentJobs.connectionId, connection),
        matchesAnyValue(agentJobs.connectionId, connectionIds),
      ),
    )
  const listed = rows.filter(({ removedAt }) => removedAt === null)
  const found = listed.length === 0 ? rows : listed
  if (found.length > 1)
    throw new AppError(
      'conflict',
      'Several connections have a job with this project and ID. Name one with connection.',
      {
        field: 'connection',
      },
    )
  if (found[0] === undefined) throw jobNotFollowedError()
  return { connectionId: found[0].connectionId, projectId, id }
}

/** Call this last in the transaction. */
export const countJobChange = (tx: Tx, key: JobKey): Promise<void> =>
  countChange(tx, { name: 'agent_jobs', table: agentJobs }, isJob(key))

/** Call this last in the transaction, after `countJobChange`. */
export const recordJobEvents = (
  tx: Tx,
  { connectionId, projectId, id }: JobKey,
  events: readonly NewEvent[],
): Promise<void> => recordEvents(tx, { type: 'agent_job', connectionId, projectId, id }, events)

const unread = Object.fromEntries(
  Object.entries(getTableColumns(agentJobs)).map(([name, column]) => [name, column.notNull ? column.default : null]),
) as AgentJobRow

/** Every other column is null or has its default value. */
export const createUnreadJobRow = ({ connectionId, projectId, id }: JobKey, followedAt: Date): AgentJobRow => ({
  ...unread,
  connectionId,
  projectId,
  id,
  followedAt,
  group: 'working',
})

export const findListedJob = async (db: Database, key: JobKey): Promise<AgentJobRow | undefined> => {
  const [row] = await db
    .select()
    .from(agentJobs)
    .where(and(isJob(key), isNull(agentJobs.removedAt)))
  return row
}

/** Throws `not_found` when the job is unknown or removed. */
export const requireFollowedJob = async (db: Database, key: JobKey): Promise<AgentJobRow> => {
  const row = await findListedJob(db, key)
  if (row === undefined) throw jobNotFollowedError()
  return row
}

/** A removed job keeps what Docket knows about its prompts. */
const knownPrompts = {
  title: sql`coalesce(case when ${agentJobs.askedBy} is not null then ${agentJobs.title} end, excluded.title, ${agentJobs.title})`,
  askedBy: sql`coalesce(${agentJobs.askedBy}, excluded.asked_by)`,
  prompts: sql`coalesce(${agentJobs.prompts}, excluded.prompts)`,
}

export const addPromptToJob = async (
  tx: Tx,
  key: JobKey,
  prompt: Parameters<typeof addAcceptedPrompt>[1],
): Promise<void> => {
  const [row] = await tx.select().from(agentJobs).where(isJob(key)).for('update')
  if (row !== undefined) {
    const { title, askedBy, prompts } = addAcceptedPrompt(row, prompt)
    // A read in progress loses its lease, so it cannot write the earlier title.
    await tx.update(agentJobs).set({ title, askedBy, prompts, leaseOwner: null, leaseUntil: null }).where(isJob(key))
  }
  await countJobChange(tx, key)
}

/** Bumps the revision. A removed job keeps its note. Returns false and changes nothing when the job is already listed. */
export const insertJob = async (tx: Tx, row: AgentJobRow): Promise<boolean> => {
  const { note, noteBy, noteAt, ...set } = selectWritableColumns(row)
  const updated = await tx
    .insert(agentJobs)
    .values(selectWritableColumns(row))
    .onConflictDoUpdate({
      target: [agentJobs.connectionId, agentJobs.projectId, agentJobs.id],
      set: { ...set, ...knownPrompts },
      setWhere: isNotNull(agentJobs.removedAt),
    })
    .returning({ id: agentJobs.id })
  if (updated.length > 0) await countJobChange(tx, row)
  return updated.length > 0
}
