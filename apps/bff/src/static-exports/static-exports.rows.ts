import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { DatabaseError } from 'pg'
import type { Database, Tx } from '#db/database.ts'
import { driverError } from '#db/unavailable.ts'
import { AppError } from '#http/app-error.ts'
import { isExport } from './static-exports.reader.ts'
import { staticExports } from './static-exports.table.ts'
import { isActive, type StaticExportRow } from './static-exports.view.ts'

/** Whether a write failed because another listed export has the same jobId. */
export const isTrackedTwice = (error: unknown): boolean => {
  const cause = driverError(error)
  return cause instanceof DatabaseError && cause.constraint === 'static_exports_job'
}

/** The listed export with this id; `not_found` when there is none or it was removed. */
export const listedExport = async (db: Database, exportId: string): Promise<StaticExportRow> => {
  const [row] = await db
    .select()
    .from(staticExports)
    .where(and(isExport(exportId), isNull(staticExports.removedAt)))
  if (row === undefined) throw new AppError('not_found', 'This export is not in the list. It may have been removed.')
  return row
}

/** Refuses with `conflict`, naming the export, when the job is in the list already. */
export const refuseTracked = async (tx: Tx, jobId: string): Promise<void> => {
  const [row] = await tx
    .select({ exportId: staticExports.exportId, domain: staticExports.domain })
    .from(staticExports)
    .where(and(eq(staticExports.jobId, jobId), isNull(staticExports.removedAt)))
  if (row !== undefined)
    throw new AppError('conflict', `This job is in the list already, as an export of ${row.domain}.`, {
      exportId: row.exportId,
    })
}

/** Runs a write that may give a jobId to a second export; that one is refused with `conflict`, naming the first. */
export const withoutTwins = async <T>(db: Database, jobId: string, write: () => Promise<T>): Promise<T> => {
  try {
    return await write()
  } catch (error) {
    if (isTrackedTwice(error)) await refuseTracked(db, jobId)
    throw error
  }
}

const historyLength = 10

/**
 * How long whole exports of the domains of these rows usually take: the median of the last ten that were started and completed
 * here. Milliseconds by domain; nothing for a domain without history, nor for a row that exports only some pages.
 */
export const usualDurations = async (db: Database, rows: readonly StaticExportRow[]) => {
  const domains = [...new Set(rows.filter((row) => isActive(row) && row.paths === null).map(({ domain }) => domain))]
  if (domains.length === 0) return () => null
  const { rows: medians } = await db.execute<{ domain: string; ms: number | null }>(sql`
    select d.domain, h.ms from unnest(${sql.param(domains)}::text[]) as d(domain) cross join lateral (
      select percentile_cont(0.5) within group (order by took) * 1000 as ms from (
        select extract(epoch from finished_at - started_at)::float8 as took from ${staticExports}
        where domain = d.domain and state = 'completed' and not imported and paths is null
        order by started_at desc nulls last limit ${historyLength}
      ) as earlier
    ) as h`)
  const known = new Map(medians.map(({ domain, ms }) => [domain, ms]))
  return (row: StaticExportRow): number | null => (row.paths === null ? (known.get(row.domain) ?? null) : null)
}

const cursorPattern = /^(\d{1,15})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

const afterCursor = (cursor: string) => {
  const place = cursorPattern.exec(cursor)
  if (place === null)
    throw new AppError('invalid_request', 'This page of the list does not exist. Start from the first page.', {
      field: 'cursor',
    })
  const startedAt = new Date(Number(place[1]))
  const { startedAt: started, exportId } = staticExports
  return sql`${started} <= ${startedAt} and (${started} < ${startedAt} or ${exportId} > ${place[2]}::uuid)`
}

/** One page of listed exports, newest first. */
export const pageOfExports = async (
  db: Database,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
) => {
  const rows = await db
    .select()
    .from(staticExports)
    .where(and(isNull(staticExports.removedAt), cursor === undefined ? undefined : afterCursor(cursor)))
    // The order of the index, which a plain `desc` is not.
    .orderBy(sql`${staticExports.startedAt} desc nulls last`, asc(staticExports.exportId))
    .limit(limit + 1)
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  const more = rows.length > limit && last !== undefined
  return { items, nextCursor: more ? `${last.startedAt.getTime()}.${last.exportId}` : null }
}

/** How many exports are listed, and how many of them have not ended yet. */
export const countExports = async (db: Database): Promise<{ all: number; active: number }> => {
  const { rows } = await db.execute<{ all: number; active: number }>(sql`
    select (select count(*) from ${staticExports} where removed_at is null)::int as "all",
      (select count(*) from ${staticExports} where next_check_at is not null and removed_at is null
        and state in ('starting', 'accepted') and gone_at is null)::int as "active"`)
  return rows[0] ?? { all: 0, active: 0 }
}
