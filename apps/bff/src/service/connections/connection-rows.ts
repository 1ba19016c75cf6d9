import type { ConnectionUse } from '@docket/api-types/connections'
import { asc, sql } from 'drizzle-orm'
import type { Tx } from '#ground/db/database.ts'
import { connections, unassignedId } from '#ground/db/connections.table.ts'

/** One row of the table. */
export type ConnectionRow = typeof connections.$inferSelect

/** A connection, and whether this process may call its service. `reason` says why its records are read-only. */
export type KnownConnection = { row: ConnectionRow } & (
  | { use: 'active'; reason: null }
  | { use: Exclude<ConnectionUse, 'active'>; reason: string }
)

/** Reads every connection: that of the environment first, then in the order of their creation. */
export const readConnections = (tx: Tx): Promise<ConnectionRow[]> =>
  tx
    .select()
    .from(connections)
    .orderBy(
      sql`${connections.source} = 'environment' and ${connections.goneAt} is null desc`,
      asc(connections.createdAt),
      asc(connections.connectionId),
    )

/** Lets one writer of connections at a time go on, until its transaction ends. */
export const lockConnections = async (tx: Tx): Promise<void> => {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('docket connections', 0))`)
}

/** Says why the records of a connection are read-only. Null for an active one. */
export const readOnlyReason = (row: ConnectionRow): string | null => {
  if (row.connectionId === unassignedId)
    return 'Its service is unknown, because it’s older than connections. An admin can move it to one in Settings.'
  if (row.goneAt !== null) {
    if (row.kind === 'embedded') return 'The embedded service is off, so this is read-only.'
    return `${row.name} ${row.source === 'settings' ? 'was removed' : 'is no longer configured'}, so this is read-only.`
  }
  if (row.pausedAt !== null) return `${row.name} is paused, so this is read-only.`
  return null
}
