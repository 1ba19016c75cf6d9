import { and, eq, gt, isNotNull, isNull, or, sql, type SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Database, Tx } from '#ground/db/database.ts'
import { awaitedMs, readIntervalSql, type ChangingTable } from './read-interval.ts'

/** Condition for records that are polled until they end, or until a missing part of them can no longer appear. */
export const isChangingRecord = (table: ChangingTable, nowMs: number): SQL | undefined =>
  and(
    isNotNull(table.nextCheckAt),
    isNotNull(table.changingSince),
    table.awaitedSince === undefined
      ? isNull(table.finishedAt)
      : or(isNull(table.finishedAt), gt(table.awaitedSince, new Date(nowMs - awaitedMs))),
    isNull(table.goneAt),
    isNull(table.removedAt),
  )

/** Demand of the changing records of a connection over all replicas: reads per millisecond, and the number of records. */
export type Demand = { callsPerMs: number; records: number }

/** Reads the changing records by their partial indexes. */
export const readDemand = async (
  db: Database,
  tables: readonly ChangingTable[],
  { connectionId, ...options }: { connectionId: string; nowMs: number; floorMs: number },
): Promise<Demand> => {
  const sums = await Promise.all(
    tables.map((table) =>
      db
        .select({
          callsPerMs: sql<number>`coalesce(sum(1 / ${readIntervalSql(table, options)}), 0)::float8`,
          records: sql<number>`count(*)::int`,
        })
        .from(table)
        .where(and(eq(table.connectionId, connectionId), isChangingRecord(table, options.nowMs))),
    ),
  )
  const demand = { callsPerMs: 0, records: 0 }
  for (const row of sums.flat()) {
    demand.callsPerMs += row.callsPerMs
    demand.records += row.records
  }
  return demand
}

/**
 * Moves reads of `readable` records forward that the schedule would now plan earlier, so that a larger budget takes effect at once. Spreads
 * them over their interval. Skips records with failed reads. For the first pass of a process. Returns the number of records.
 */
export const replanReads = async (
  tx: Tx,
  table: ChangingTable,
  options: { nowMs: number; floorMs: number; stretch: number; readable?: SQL | undefined },
): Promise<number> => {
  const { nowMs, floorMs, stretch, readable } = options
  const at = new Date(nowMs).toISOString()
  const interval = sql`${stretch}::float8 * ${readIntervalSql(table, { nowMs, floorMs })} * interval '1 millisecond'`
  // The schedule varies intervals by 5 %, so only a clearly longer wait was planned with another budget.
  const late = gt(table.nextCheckAt, sql`${at}::timestamptz + 1.2 * ${interval}`)
  const { rowCount } = await tx
    .update(table as PgTable)
    .set({ nextCheckAt: sql`${at}::timestamptz + random() * ${interval}` } as object)
    .where(and(isChangingRecord(table, nowMs), eq(table.failures, 0), late, readable))
  return rowCount ?? 0
}
