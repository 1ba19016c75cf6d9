import { and, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Database } from '#db/database.ts'
import { pages, type PageQuery } from '#db/pages.ts'
import { staticExports } from './static-exports.table.ts'
import { isActive, type StaticExportRow } from './static-exports.view.ts'

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const { after, order, cut } = pages<StaticExportRow>({
  at: staticExports.startedAt,
  keys: [staticExports.exportId],
  placeOf: ({ startedAt, exportId }) => [startedAt.getTime(), [exportId]],
  isKey: (key) => uuid.test(key),
})

const listed = isNull(staticExports.removedAt)

/** How many exports have not ended. They all have a next check, so the index of those is enough. */
export const countActive = (db: Database): Promise<number> =>
  db.$count(
    staticExports,
    and(
      listed,
      isNotNull(staticExports.nextCheckAt),
      inArray(staticExports.state, ['starting', 'accepted']),
      isNull(staticExports.goneAt),
    ),
  )

/** How many exports are listed, and how many of them have not ended yet. */
export const countExports = async (db: Database): Promise<{ all: number; active: number }> => {
  const [all, active] = await Promise.all([db.$count(staticExports, listed), countActive(db)])
  return { all, active }
}

/** The query of one page and a row more, newest first. */
export const exportPageQuery = (db: Database, page: PageQuery) =>
  db
    .select()
    .from(staticExports)
    .where(and(listed, after(page)))
    .orderBy(...order)
    .limit(page.limit + 1)

/** One page of listed exports, newest first. */
export const pageOfExports = async (db: Database, page: PageQuery) => cut(await exportPageQuery(db, page), page)

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
        order by started_at desc limit ${historyLength}
      ) as earlier
    ) as h`)
  const known = new Map(medians.map(({ domain, ms }) => [domain, ms]))
  return (row: StaticExportRow): number | null => (row.paths === null ? (known.get(row.domain) ?? null) : null)
}
