import { sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Database } from '#db/database.ts'

/** How long a removed record can be taken back. Days. */
export const removedRetentionDays = 30

const dayMs = 86_400_000
const batch = 1_000

/**
 * Deletes records that were removed from their list longer than `removedRetentionDays` ago, a batch at a time, so that nobody waits
 * for a lock. Resolves with how many.
 */
export const deleteRemoved = async (
  db: Database,
  table: PgTable & { removedAt: PgColumn },
  now: number,
): Promise<number> => {
  const before = new Date(now - removedRetentionDays * dayMs)
  const old = sql`select ctid from ${table} where ${table.removedAt} < ${before.toISOString()} limit ${batch} for update skip locked`
  for (let deleted = 0; ;) {
    const { rowCount } = await db.execute(sql`delete from ${table} where ctid = any(array(${old}))`)
    deleted += rowCount ?? 0
    if ((rowCount ?? 0) < batch) return deleted
  }
}
