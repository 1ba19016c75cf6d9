import {
  and,
  asc,
  gt,
  inArray,
  isNotNull,
  isNull,
  lte,
  not,
  or,
  sql,
  type InferSelectModel,
  type SQL,
} from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { RecordKey } from '@docket/api-types/history'
import type { Ctx } from '#ground/ctx.ts'
import type { UpstreamCode } from '#ground/errors/app-error.ts'
import type { Database, Tx } from '#ground/db/database.ts'
import type { WatchedTable } from './claim.ts'

/** A read may start this late before it counts as overdue. */
const onTimeMs = 5_000

/** Covers all processes. `now` in milliseconds since the epoch. */
const countLateReads = async (
  db: Database,
  table: WatchedTable,
  { now, readable }: { now: number; readable?: SQL | undefined },
): Promise<{ count: number; oldestMs: number }> => {
  const [row] = await db
    .select({
      count: sql<number>`count(*)::int`,
      dueMs: sql<number | null>`(extract(epoch from min(${table.nextCheckAt})) * 1000)::float8`,
    })
    .from(table as PgTable)
    .where(
      and(
        lte(table.nextCheckAt, new Date(now - onTimeMs)),
        isNull(table.removedAt),
        or(isNull(table.leaseUntil), not(gt(table.leaseUntil, new Date(now)))),
        readable,
      ),
    )
  const { count = 0, dueMs = null } = row ?? {}
  return { count, oldestMs: dueMs === null ? 0 : Math.max(0, now - dueMs) }
}

/** Makes `readable` records due whose last read failed with one of `codes`. `now` in milliseconds since the epoch. */
export const makeFailedReadsDue = async (
  tx: Tx,
  table: WatchedTable & { checkFailure: PgColumn },
  { codes, now, readable }: { codes: readonly UpstreamCode[]; now: number; readable: SQL | undefined },
): Promise<void> => {
  const at = new Date(now)
  await tx
    .update(table as PgTable)
    .set({ nextCheckAt: at } as object)
    .where(
      and(
        gt(table.nextCheckAt, at),
        isNull(table.removedAt),
        inArray(sql`${table.checkFailure} ->> 'code'`, [...codes]),
        readable,
      ),
    )
}

/** Reads of one kind of records at each connection. `readableAt`: condition for records that can be read. */
export const createReadQueries = <T extends WatchedTable & { checkFailure: PgColumn }>(
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  kind: {
    table: T
    readableAt: (connectionId: string) => SQL | undefined
    toTitled: (row: InferSelectModel<T>) => { key: RecordKey; title: string }
  },
) => ({
  late: (connectionId: string) =>
    countLateReads(db, kind.table, { now: now(), readable: kind.readableAt(connectionId) }),
  /** Makes records of a connection due whose last read failed with one of these codes. */
  readAgain: (tx: Tx, connectionId: string, codes: readonly UpstreamCode[]) =>
    makeFailedReadsDue(tx, kind.table, {
      codes,
      now: now(),
      readable: kind.readableAt(connectionId),
    }),
  /** Soonest first. */
  next: async (connectionId: string, limit: number) => {
    const { nextCheckAt, removedAt } = kind.table
    const rows = await db
      .select()
      .from(kind.table as PgTable)
      .where(and(isNotNull(nextCheckAt), isNull(removedAt), kind.readableAt(connectionId)))
      .orderBy(asc(nextCheckAt))
      .limit(limit)
    return (rows as (InferSelectModel<T> & { nextCheckAt: Date })[]).map((row) => ({
      ...kind.toTitled(row),
      nextCheckAt: row.nextCheckAt.toISOString(),
    }))
  },
})
