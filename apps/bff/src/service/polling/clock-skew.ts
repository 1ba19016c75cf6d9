import { and, gt, isNotNull, isNull, or, sql, type SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Tx } from '#ground/db/database.ts'
import type { WatchedTable } from './claim.ts'
import { maxClockSkewMs } from '#ground/clock/clock-skew.ts'

/** Maximum duration of a lease. Milliseconds. */
const maxLeaseMs = 900_000

/**
 * Makes `readable` records due that a faster clock planned: their last read lies in the future, so they would wait too long. Ends their leases too.
 * For the first pass of a process, and after its clock was set back. Returns the number of records.
 */
export const pullBack = async (
  tx: Tx,
  table: WatchedTable,
  { now, readable }: { now: number; readable?: SQL | undefined },
): Promise<number> => {
  const at = new Date(now)
  const fromTheFuture = and(gt(table.checkedAt, new Date(now + maxClockSkewMs)), gt(table.nextCheckAt, at))
  const leasedTooLong = gt(table.leaseUntil, new Date(now + maxLeaseMs))
  const { rowCount } = await tx
    .update(table as PgTable)
    .set({
      nextCheckAt: sql`case when ${fromTheFuture} then ${at.toISOString()}::timestamptz else ${table.nextCheckAt} end`,
      leaseOwner: sql`case when ${leasedTooLong} then null else ${table.leaseOwner} end`,
      leaseUntil: sql`case when ${leasedTooLong} then null else ${table.leaseUntil} end`,
    } as object)
    .where(and(isNull(table.removedAt), isNotNull(table.nextCheckAt), readable, or(fromTheFuture, leasedTooLong)))
  return rowCount ?? 0
}
