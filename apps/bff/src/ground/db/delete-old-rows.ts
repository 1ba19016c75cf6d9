import { sql, type SQL } from 'drizzle-orm'

/**
 * The instant `days` before `now` (milliseconds since the epoch). Rows that a wrong clock deletes do not come back, so a clock ahead of the
 * database's does not count.
 */
export const daysAgo = (now: number, days: number): SQL =>
  sql`least(${new Date(now).toISOString()}::timestamptz, clock_timestamp()) - ${days * 86_400_000} * interval '1 millisecond'`

/** Deletes in batches of `size` until one is not full, so that nobody waits for locks. Returns how many rows went. */
export const deleteInBatches = async (size: number, deleteBatch: () => Promise<number>): Promise<number> => {
  for (let deleted = 0; ;) {
    const more = await deleteBatch()
    deleted += more
    if (more < size) return deleted
  }
}
