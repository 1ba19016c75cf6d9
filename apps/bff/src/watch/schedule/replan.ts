import { and, eq, gt, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Tx } from '#db/database.ts'
import { isChanging, readIntervalSql, type ChangingTable } from './read-interval.ts'

/**
 * Pulls reads forward that are planned later than the schedule would plan them now, so that a larger budget takes effect at once.
 * Spreads them over their interval, and leaves back-offs alone. For the first pass of a process. Returns how many it moved.
 */
export const replan = async (
  tx: Tx,
  table: ChangingTable,
  { nowMs, floorMs, stretch }: { nowMs: number; floorMs: number; stretch: number },
): Promise<number> => {
  const at = new Date(nowMs).toISOString()
  const interval = sql`${stretch}::float8 * ${readIntervalSql(table, { nowMs, floorMs })} * interval '1 millisecond'`
  // Intervals are drawn within a twentieth of each other, so only a clearly longer wait comes from another plan.
  const late = gt(table.nextCheckAt, sql`${at}::timestamptz + 1.2 * ${interval}`)
  const { rowCount } = await tx
    .update(table as PgTable)
    .set({ nextCheckAt: sql`${at}::timestamptz + random() * ${interval}` } as object)
    .where(and(isChanging(table), eq(table.failures, 0), late))
  return rowCount ?? 0
}
