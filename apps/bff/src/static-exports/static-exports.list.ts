import { StaticExportGroup, type StaticExportList } from '@docket/api-types/static-exports'
import { and, isNull, sql } from 'drizzle-orm'
import type { Database } from '#db/database.ts'
import { pages, type PageQuery } from '#db/pages.ts'
import { groupCounts } from '#db/revision.ts'
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

const noExports = Object.fromEntries(StaticExportGroup.options.map((group) => [group, 0])) as Record<
  StaticExportGroup,
  number
>

/** How many exports have not ended. */
export const countActive = async (db: Database): Promise<number> =>
  (await groupCounts(db, 'static_exports'))['active'] ?? 0

/** The counts of the list. */
export const countExports = async (db: Database): Promise<StaticExportList['counts']> => {
  const groups = { ...noExports, ...(await groupCounts(db, 'static_exports')) }
  const all = Object.values(groups).reduce((sum, count) => sum + count, 0)
  return { all, active: groups.active, attention: 0, groups, matching: null }
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
