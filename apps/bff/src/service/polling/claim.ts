import { and, asc, isNotNull, isNull, lte, notLike, or, sql, type InferSelectModel, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Tx } from '#ground/db/database.ts'

export type WatchedTable = PgTable &
  Record<'nextCheckAt' | 'leaseOwner' | 'leaseUntil' | 'failures' | 'checkedAt' | 'viewedUntil' | 'removedAt', PgColumn>

/** Writing the outcome needs the lease. */
export type Claimed<Row> = { row: Row; lease: string }

type Lease = {
  /** The process that claims. Each of its claims gets its own lease. */
  owner: string
  /** Milliseconds since the epoch. */
  now: number
  /** Duration of a lease: longer than any read. Afterwards any process may claim the record. */
  leaseMs: number
}

/** The columns of a watched table by name; TypeScript cannot derive them for a generic table. */
type LeaseColumns = { leaseOwner: SQL | null; leaseUntil: Date | null }

const takeLeases = async <T extends WatchedTable>(
  tx: Tx,
  table: T,
  { owner, now, leaseMs }: Lease,
  which: SQL | undefined,
): Promise<Claimed<InferSelectModel<T>>[]> => {
  const set: LeaseColumns = {
    leaseOwner: sql`${owner}::text || '/' || gen_random_uuid()`,
    leaseUntil: new Date(now + leaseMs),
  }
  const rows = await tx
    .update(table as PgTable)
    .set(set as object)
    .where(which)
    .returning()
  return rows.map((row) => ({ row: row as InferSelectModel<T>, lease: String(row['leaseOwner']) }))
}

/**
 * Leases up to `limit` due records without a lease: first those on screen, then the most overdue. Two callers never get the same record,
 * and never wait for each other. Skips records that are not `readable`.
 */
export const claimDueRecords = async <T extends WatchedTable>(
  tx: Tx,
  table: T,
  lease: Lease & { limit: number; readable?: SQL | undefined },
): Promise<Claimed<InferSelectModel<T>>[]> => {
  const now = new Date(lease.now)
  const due = and(
    lte(table.nextCheckAt, now),
    isNull(table.removedAt),
    or(isNull(table.leaseUntil), lte(table.leaseUntil, now)),
    lease.readable,
  )
  // array(…) is evaluated once, so the limit holds for every query plan of the update.
  const rows = sql`select ctid from ${table} where ${due} order by (coalesce(${table.viewedUntil} > ${now}, false)) desc, ${asc(table.nextCheckAt)} limit ${lease.limit} for update skip locked`
  return takeLeases(tx, table, lease, sql`${table}.ctid = any(array(${rows}))`)
}

/** Leases a record for a person, even from another process, whose older outcome is dropped. Undefined when there is no such record. */
export const claimRecordNow = async <T extends WatchedTable>(
  tx: Tx,
  table: T,
  lease: Lease & { which: SQL | undefined },
): Promise<Claimed<InferSelectModel<T>> | undefined> => {
  const [claimed] = await takeLeases(tx, table, lease, and(lease.which, isNull(table.removedAt)))
  return claimed
}

/**
 * Writes the outcome of a read and ends its lease. Writes nothing and returns undefined when the lease was lost: the record was read
 * again or removed, and an older answer must not overwrite that.
 */
export const writeReadOutcome = async <T extends WatchedTable>(
  tx: Tx,
  table: T,
  { which, lease, set }: { which: SQL | undefined; lease: string; set: Partial<InferSelectModel<T>> },
): Promise<InferSelectModel<T> | undefined> => {
  const ended: LeaseColumns = { leaseOwner: null, leaseUntil: null }
  const [row] = await tx
    .update(table as PgTable)
    .set({ ...set, ...ended } as object)
    .where(and(which, sql`${table.leaseOwner} = ${lease}`))
    .returning()
  return row as InferSelectModel<T> | undefined
}

/** Null when there is no such record. Reads only the first free record and the leased ones, so its cost stays the same. */
export const nextDueAt = async (
  tx: Tx,
  table: WatchedTable,
  { now, readable }: { now: number; readable?: SQL | undefined },
): Promise<Date | null> => {
  const at = new Date(now)
  const watched = and(isNotNull(table.nextCheckAt), isNull(table.removedAt), readable)
  const free = sql`select ${table.nextCheckAt} from ${table} where ${watched} and (${table.leaseUntil} is null or ${table.leaseUntil} <= ${at}) order by ${table.nextCheckAt} limit 1`
  const leased = sql`select min(greatest(${table.nextCheckAt}, ${table.leaseUntil})) from ${table} where ${watched} and ${table.leaseUntil} > ${at}`
  const { rows } = await tx.execute<{ due_ms: number | null }>(
    sql`select (extract(epoch from least((${free}), (${leased}))) * 1000)::float8 as due_ms`,
  )
  const dueMs = rows[0]?.due_ms ?? null
  return dueMs === null ? null : new Date(Math.ceil(dueMs))
}

/** Ends every lease of `readable` records except those of `owner`. Use it only for a database without other processes. */
export const freeLeases = async (
  tx: Tx,
  table: WatchedTable,
  { owner, readable }: { owner: string; readable?: SQL | undefined },
): Promise<void> => {
  const ended: LeaseColumns = { leaseOwner: null, leaseUntil: null }
  await tx
    .update(table as PgTable)
    .set(ended as object)
    .where(and(notLike(table.leaseOwner, `${owner}/%`), readable))
}
