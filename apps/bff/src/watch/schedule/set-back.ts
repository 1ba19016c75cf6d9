import { and, gt, isNotNull, isNull, or, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Tx } from '#db/database.ts'
import type { WatchedTable } from '#watch/claim.ts'
import { clocksDifferMs } from '#watch/clocks.ts'

/** No lease is longer. Milliseconds. */
const longestLeaseMs = 900_000

/**
 * Makes records due now that a later clock planned: they were read in what is the future again, and would wait until it comes.
 * Their leases end too. For the first pass of a process, and after its clock was set back. Answers with how many there were.
 */
export const pullBack = async (tx: Tx, table: WatchedTable, now: number): Promise<number> => {
  const at = new Date(now)
  const fromTheFuture = and(gt(table.checkedAt, new Date(now + clocksDifferMs)), gt(table.nextCheckAt, at))
  const leasedTooLong = gt(table.leaseUntil, new Date(now + longestLeaseMs))
  const { rowCount } = await tx
    .update(table as PgTable)
    .set({
      nextCheckAt: sql`case when ${fromTheFuture} then ${at.toISOString()}::timestamptz else ${table.nextCheckAt} end`,
      leaseOwner: sql`case when ${leasedTooLong} then null else ${table.leaseOwner} end`,
      leaseUntil: sql`case when ${leasedTooLong} then null else ${table.leaseUntil} end`,
    } as object)
    .where(and(isNull(table.removedAt), isNotNull(table.nextCheckAt), or(fromTheFuture, leasedTooLong)))
  return rowCount ?? 0
}
