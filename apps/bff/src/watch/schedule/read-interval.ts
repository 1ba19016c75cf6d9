import { and, isNotNull, isNull, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Database } from '#db/database.ts'
import type { WatchedTable } from '#watch/claim.ts'

/** The kinds of records that share one budget, named like their lists. */
export type RecordKind = 'static_exports' | 'agent_jobs'

/** A table whose records change until they finish or are gone. */
export type ChangingTable = WatchedTable & Record<'changingSince' | 'finishedAt' | 'goneAt', PgColumn>

const minute = 60_000
const ageShare = 0.02
const ceilingMs = 5 * minute
/** A record this young is read at the floor while somebody has it on screen. */
const youngMs = 60 * minute

/**
 * Shortest interval between two reads of one record. The embedded service costs nobody anything, and people watch its progress bar
 * move. Milliseconds.
 */
export const floorMs = ({ embedded }: { embedded: boolean }): number => (embedded ? 250 : 2000)

/** Interval before the budget stretches it: the floor for a young record on screen, else 2 % of its age up to five minutes. Milliseconds. */
export const readIntervalMs = (record: { ageMs: number; viewed: boolean; floorMs: number }): number =>
  record.viewed && record.ageMs < youngMs
    ? record.floorMs
    : Math.min(ceilingMs, Math.max(record.floorMs, ageShare * record.ageMs))

/** `readIntervalMs` in SQL, of a row of `table`. */
export const readIntervalSql = (table: ChangingTable, options: { nowMs: number; floorMs: number }): SQL<number> => {
  const at = new Date(options.nowMs)
  const age = sql`(extract(epoch from ${at}::timestamptz - ${table.changingSince}) * 1000)`
  return sql<number>`(case when coalesce(${table.viewedUntil} > ${at}, false) and ${age} < ${youngMs}::float8 then ${options.floorMs}::float8
    else least(${ceilingMs}::float8, greatest(${options.floorMs}::float8, ${ageShare}::float8 * ${age})) end)`
}

/** Records that are polled until they end. */
export const isChanging = (table: ChangingTable): SQL | undefined =>
  and(
    isNotNull(table.nextCheckAt),
    isNotNull(table.changingSince),
    isNull(table.finishedAt),
    isNull(table.goneAt),
    isNull(table.removedAt),
  )

/** Reads per millisecond that all changing records want together, and how many records there are, over all replicas. */
export type Demand = { callsPerMs: number; records: number }

/** Sums the demand of `tables`. Reads the changing records by their partial indexes. */
export const readDemand = async (
  db: Database,
  tables: readonly ChangingTable[],
  options: { nowMs: number; floorMs: number },
): Promise<Demand> => {
  const sums = await Promise.all(
    tables.map((table) =>
      db
        .select({
          callsPerMs: sql<number>`coalesce(sum(1 / ${readIntervalSql(table, options)}), 0)::float8`,
          records: sql<number>`count(*)::int`,
        })
        .from(table)
        .where(isChanging(table)),
    ),
  )
  const demand = { callsPerMs: 0, records: 0 }
  for (const row of sums.flat()) {
    demand.callsPerMs += row.callsPerMs
    demand.records += row.records
  }
  return demand
}
