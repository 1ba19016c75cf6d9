import { sql, type SQL } from 'drizzle-orm'

/**
 * The instant `days` before `now` (milliseconds since the epoch). Uses the database's clock when it is behind, because rows deleted by a
 * wrong clock cannot be restored.
 */
export const daysAgo = (now: number, days: number): SQL =>
  sql`least(${new Date(now).toISOString()}::timestamptz, clock_timestamp()) - ${days * 86_400_000} * interval '1 millisecond'`

/** Deletes in batches of `size` until one is not full, so that no caller waits long for locks. Returns the number of deleted rows. */
export const deleteInBatches = async (size: number, deleteBatch: () => Promise<number>): Promise<number> => {
  for (let deleted = 0; ;) {
    const more = await deleteBatch()
    deleted += more
    if (more < size) return deleted
  }
}
