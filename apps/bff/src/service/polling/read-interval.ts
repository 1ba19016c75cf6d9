import { sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { WatchedTable } from './claim.ts'

/** The kinds of records that share one budget, named like their lists. */
export type RecordKind = 'static_exports' | 'agent_jobs'

/**
 * A table whose records change until they finish or are gone. `awaitedSince`: the end of a record of which one more part may follow.
 */
export type ChangingTable = WatchedTable &
  Record<'connectionId' | 'changingSince' | 'finishedAt' | 'goneAt', PgColumn> & { awaitedSince?: PgColumn }

const minute = 60_000
/** Longest run of a record. An older creation time is not trusted. */
const maxRunMs = 36 * 60 * minute
const ageShare = 0.02
const ceilingMs = 5 * minute
/** A younger record is read at the floor while it is on screen. */
const youngMs = 60 * minute
const freeFloorMs = 250
/** Time after its end in which a record counts as changing, because one more part of it may follow. Milliseconds. */
export const awaitedMs = 60 * minute

/**
 * Shortest interval between two reads of one record. Reads of the embedded service are free, and people watch its
 * progress bar move. Milliseconds.
 */
export const floorMs = ({ embedded }: { embedded: boolean }): number => (embedded ? freeFloorMs : 2000)

/** Age up to which a record on screen is read at the floor. Where reads are free, its last line is live at every age. */
const youngUntilMs = (floor: number) => (floor === freeFloorMs ? maxRunMs : youngMs)

/** Interval before stretching: the floor for a young record on screen, else 2 % of its age up to five minutes. Milliseconds. */
export const readIntervalMs = (record: { ageMs: number; viewed: boolean; floorMs: number }): number =>
  record.viewed && record.ageMs < youngUntilMs(record.floorMs)
    ? record.floorMs
    : Math.min(ceilingMs, Math.max(record.floorMs, ageShare * record.ageMs))

/** `readIntervalMs` in SQL, of a row of `table`. */
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
 * Start of the change of a record: the service's creation time when plausible, else `knownAt`. A creation time in the
 * future or days ago comes from a wrong clock, or from a job that became active again.
 */
export const findChangingSince = ({ createdAt, knownAt }: { createdAt: Date | null; knownAt: Date }): Date => {
  const earlierMs = knownAt.getTime() - (createdAt?.getTime() ?? NaN)
  return createdAt !== null && earlierMs >= 0 && earlierMs <= maxRunMs ? createdAt : knownAt
}
