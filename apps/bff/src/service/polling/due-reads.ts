import { and, asc, gt, isNotNull, isNull, lte, not, or, sql, type InferSelectModel, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { UpstreamCode } from '#ground/errors/admin-api-error.ts'
import type { Database, Tx } from '#ground/db/database.ts'
import type { WatchedTable } from './claim.ts'

export type LateReads = { count: number; oldestMs: number }

/** A read may start this late before it counts as overdue. */
const onTimeMs = 5_000

/** Covers all processes. `now` in milliseconds since the epoch. */
export const countLateReads = async (
  db: Database,
  table: WatchedTable,
  { now, readable }: { now: number; readable?: SQL | undefined },
): Promise<LateReads> => {
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

/** Makes `readable` records due whose last read failed with `code`. `now` in milliseconds since the epoch. */
export const makeFailedReadsDue = async (
  tx: Tx,
  table: WatchedTable & { checkFailure: PgColumn },
  { code, now, readable }: { code: UpstreamCode; now: number; readable: SQL | undefined },
): Promise<void> => {
  const at = new Date(now)
  await tx
    .update(table as PgTable)
    .set({ nextCheckAt: at } as object)
    .where(
      and(
        gt(table.nextCheckAt, at),
        isNull(table.removedAt),
        sql`${table.checkFailure} ->> 'code' = ${code}`,
        readable,
      ),
    )
}

/** Returns the soonest reads first. */
export const listNextReads = async <T extends WatchedTable>(
  db: Database,
  table: T,
  { limit, readable }: { limit: number; readable?: SQL | undefined },
): Promise<(InferSelectModel<T> & { nextCheckAt: Date })[]> => {
  const rows = await db
    .select()
    .from(table as PgTable)
    .where(and(isNotNull(table.nextCheckAt), isNull(table.removedAt), readable))
    .orderBy(asc(table.nextCheckAt))
    .limit(limit)
  return rows as (InferSelectModel<T> & { nextCheckAt: Date })[]
}
