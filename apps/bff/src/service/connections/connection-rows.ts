import type { ConnectionUse } from '@docket/api-types/connections'
import { asc, sql, inArray } from 'drizzle-orm'
import { type Tx, type Database, takeTurn } from '#ground/db/database.ts'
import { connections, unassignedId } from '#ground/db/connections.table.ts'
import { listRevisions } from '#ground/db/revision.ts'
import type { TokenIdentity } from '#ground/identity/identity.ts'

/** Counts listed records only. Omits connections without any. */
export type RecordCounts = ReadonlyMap<string, { staticExports: number; agentJobs: number }>

export const countRecords = async (tx: Tx): Promise<RecordCounts> => {
  const rows = await tx
    .select({ list: listRevisions.list, counts: listRevisions.connectionCounts })
    .from(listRevisions)
    .where(inArray(listRevisions.list, ['static_exports', 'agent_jobs']))
  const found = new Map<string, { staticExports: number; agentJobs: number }>()
  for (const { list, counts } of rows)
    for (const [key, count] of Object.entries(counts)) {
      const [connectionId = ''] = key.split('/')
      const sums = found.get(connectionId) ?? { staticExports: 0, agentJobs: 0 }
      sums[list === 'static_exports' ? 'staticExports' : 'agentJobs'] += count
      found.set(connectionId, sums)
    }
  return found
}

export type ConnectionRow = typeof connections.$inferSelect

/** `reason` explains why its records are read-only. */
export type KnownConnection = { row: ConnectionRow } & (
  | { use: 'active'; reason: null }
  | { use: Exclude<ConnectionUse, 'active'>; reason: string }
)

/** Returns the connection from the environment first, then the others in the order of their creation. */
export const readConnections = (tx: Tx): Promise<ConnectionRow[]> =>
  tx
    .select()
    .from(connections)
    .orderBy(
      sql`${connections.source} = 'environment' and ${connections.goneAt} is null desc`,
      asc(connections.createdAt),
      asc(connections.connectionId),
    )

/** Holds the lock until the transaction ends. */
export const lockConnections = async (tx: Tx): Promise<void> => {
  await takeTurn(tx, 'docket connections')
}

/** Null for an active connection. */
export const explainReadOnly = (row: ConnectionRow): string | null => {
  if (row.connectionId === unassignedId)
    return 'Its service is unknown, because it’s older than connections. An admin can move it to one in Settings.'
  if (row.goneAt !== null) {
    if (row.kind === 'embedded') return 'This machine is off, so this is read-only.'
    return `${row.name} ${row.source === 'settings' ? 'was removed' : 'is no longer configured'}, so this is read-only.`
  }
  if (row.pausedAt !== null) return `${row.name} is paused, so this is read-only.`
  return null
}

/** A token that is restricted to domains, projects or sites sees no other connections. */
export const listConnectionsWithin = async (
  db: Database,
  { domains, projectIds, sites }: Pick<TokenIdentity, 'domains' | 'projectIds' | 'sites'>,
): Promise<string[]> => {
  const names = (some: readonly string[] | null | undefined) => sql`${sql.param(some ?? [])}::text[]`
  const { rows } = await db.execute<{ id: string }>(sql`
    select connection_id as id from static_exports where domain = any(${names(domains)})
    union select connection_id from agent_jobs where project_id = any(${names(projectIds)})
    union select connection_id from projects where project_id = any(${names(projectIds)})
    union select connection_id from sites where coalesce(joined_into, site_id)::text = any(${names(sites?.map(({ siteId }) => siteId))})`)
  return rows.map(({ id }) => id)
}
