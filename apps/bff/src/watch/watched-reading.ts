import { and, isNotNull, isNull, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Database } from '#db/database.ts'
import type { WatchedTable } from '#watch/claim.ts'

/** How the watching of one kind of records stands. Milliseconds. */
export type WatchedReading = {
  /** How overdue the most overdue record is that nobody is reading; 0 when none is. */
  pollLagMs: number
  /** For how long the longest read under way has been leased; 0 when none is. */
  oldestLeaseMs: number
}

/** Looks at the records that are still polled, of all processes. `leaseMs`: how long a lease is. */
export const watchedReading = async (
  db: Database,
  table: WatchedTable,
  { now, leaseMs }: { now: number; leaseMs: number },
): Promise<WatchedReading> => {
  const [row] = await db
    .select({
      dueMs: sql<
        number | null
      >`(extract(epoch from min(greatest(${table.nextCheckAt}, ${table.leaseUntil}))) * 1000)::float8`,
      leaseUntilMs: sql<number | null>`(extract(epoch from min(${table.leaseUntil})) * 1000)::float8`,
    })
    .from(table as PgTable)
    .where(and(isNotNull(table.nextCheckAt), isNull(table.removedAt)))
  const { dueMs = null, leaseUntilMs = null } = row ?? {}
  return {
    pollLagMs: dueMs === null ? 0 : Math.max(0, now - dueMs),
    oldestLeaseMs: leaseUntilMs === null ? 0 : Math.max(0, now - (leaseUntilMs - leaseMs)),
  }
}
