import { sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { WatchedTable } from './claim.ts'

/** The kinds of records that share one budget, named after their lists. */
export type RecordKind = 'static_exports' | 'agent_jobs'

/** A table whose records change until they finish or are gone. `awaitedSince`: end of a record that may still get one more part. */
export type ChangingTable = WatchedTable &
  Record<'connectionId' | 'changingSince' | 'finishedAt' | 'goneAt', PgColumn> & { awaitedSince?: PgColumn }

const minute = 60_000
/** Longest run of a record. An older creation time is considered wrong. */
const maxRunMs = 36 * 60 * minute
const ageShare = 0.02
const ceilingMs = 5 * minute
/** A record younger than this is read at the shortest interval while it is on screen. */
const youngMs = 60 * minute
const freeFloorMs = 250
/** How long after its end a record counts as changing, because one more part of it may appear. Milliseconds. */
export const awaitedMs = 60 * minute

/** Shortest interval between two reads of a record, in milliseconds. Shorter for the embedded service, whose reads are free. */
export const floorMs = ({ embedded }: { embedded: boolean }): number => (embedded ? freeFloorMs : 2000)

/** Age up to which a record on screen is read at the shortest interval. If reads are free, this applies at every age. */
const youngUntilMs = (floor: number) => (floor === freeFloorMs ? maxRunMs : youngMs)

/** Before stretching: the shortest interval for a young record on screen, else 2 % of its age up to five minutes. Milliseconds. */
export const readIntervalMs = (record: { ageMs: number; viewed: boolean; floorMs: number }): number =>
  record.viewed && record.ageMs < youngUntilMs(record.floorMs)
    ? record.floorMs
    : Math.min(ceilingMs, Math.max(record.floorMs, ageShare * record.ageMs))

/** Calculates `readIntervalMs` in SQL, for a row of `table`. */
export const readIntervalSql = (table: ChangingTable, options: { nowMs: number; floorMs: number }): SQL<number> => {
  const at = new Date(options.nowMs)
  const since =
    table.awaitedSince === undefined
      ? table.changingSince
      : sql`coalesce(${table.awaitedSince}, ${table.changingSince})`
  const age = sql`(extract(epoch from ${at}::timestamptz - ${since}) * 1000)`
  return sql<number>`(case when coalesce(${table.viewedUntil} > ${at}, false) and ${age} < ${youngUntilMs(options.floorMs)}::float8 then ${options.floorMs}::float8
    else least(${ceilingMs}::float8, greatest(${options.floorMs}::float8, ${ageShare}::float8 * ${age})) end)`
}

/**
 * Returns when a record began to change: the service's creation time if plausible, else `knownAt`. A creation time in the future or days
 * ago comes from a wrong clock, or from a job that became active again.
 */
export const findChangingSince = ({ createdAt, knownAt }: { createdAt: Date | null; knownAt: Date }): Date => {
  const earlierMs = knownAt.getTime() - (createdAt?.getTime() ?? NaN)
  return createdAt !== null && earlierMs >= 0 && earlierMs <= maxRunMs ? createdAt : knownAt
}
