import type {
  FinishedExport,
  StaticExportStatistics,
  StaticExportStatisticsQuery,
} from '@docket/api-types/static-export-statistics'
import { and, desc, eq, gte, isNull, ne, sql } from 'drizzle-orm'
import type { Database } from '#ground/db/database.ts'
import { narrowScope, type TokenScope } from '#ground/http/access/token-scope.ts'
import { visibleExports } from '#records/static-exports/static-exports.list.ts'
import { calculateDuration, type StaticExportRow } from '#records/static-exports/static-exports.state.ts'
import { staticExports } from '#records/static-exports/static-exports.table.ts'

const dayMs = 24 * 3_600_000
const shownDays = 30
const maxPoints = 200
const maxCounted = 10_000

type Outcome = FinishedExport['outcome']

const findOutcome = ({ group }: Pick<StaticExportRow, 'group'>): Outcome => {
  if (group === 'completed') return 'completed'
  return group === 'failed' || group === 'refused' ? 'failed' : 'lost'
}

/** Also null for a negative time, which a clock that was set back leaves behind. */
const findDuration = (row: StaticExportRow): number | null => {
  const durationMs = calculateDuration(row)
  return durationMs !== null && durationMs >= 0 ? durationMs : null
}

type Counts = { findings: number | null; pages: number | null }

const toPoint = ({ row, findings, pages }: Counts & { row: StaticExportRow }): FinishedExport => ({
  exportId: row.exportId,
  connectionId: row.connectionId,
  outcome: findOutcome(row),
  startedAt: row.startedAt.toISOString(),
  durationMs: findDuration(row),
  pageCount: pages,
  sizeBytes: row.bundleSizeBytes,
  findings,
  partial: row.paths !== null,
})

type Counted = Record<Outcome | 'timed' | 'counted', number> & {
  day: Date | null
  durationMs: number | null
  pages: number | null
}

const toOutcomes = ({ completed, failed, lost, timed, counted, durationMs, pages }: Counted) => ({
  completed,
  failed,
  lost,
  durationMs: { sample: timed, median: durationMs },
  pages: { sample: counted, median: pages },
})

/** Prefers the number that the service reported to the number in the stored bundle. */
const pages = sql<number | null>`coalesce(static_exports.page_count, (select pages from artifacts
  join stored_bundles using (sha256) where artifacts.export_id = static_exports.export_id))`

const findings = sql<number | null>`checked.findings`.as('found')
const checked = sql`(select export_id, breaks + leaks as findings from artifacts
  left join stored_bundles using (sha256) where check_unfinished is null) as checked`

/** Reads at most the latest 10,200 rows. `until` ends the current day of the default range. `now` and `until` in epoch milliseconds. */
export const summariseExports = async (
  db: Database,
  query: StaticExportStatisticsQuery,
  { scope, now }: { scope: TokenScope; now: number },
): Promise<{ value: StaticExportStatistics; until: number | null }> => {
  const today = Math.floor(now / dayMs) * dayMs
  const from = query.from === undefined ? new Date(today - (shownDays - 1) * dayMs) : new Date(query.from)
  const ofDomain = query.domain === undefined ? undefined : eq(staticExports.domain, query.domain)
  const finished = and(
    isNull(staticExports.removedAt),
    ne(staticExports.group, 'active'),
    visibleExports(narrowScope(scope, query)),
    ofDomain,
  )
  const latest = db
    .select({
      startedAt: staticExports.startedAt,
      group: sql`${staticExports.group}`.as('outcome'),
      tookMs: sql`${staticExports.tookMs}::float8`.as('took'),
      pages: sql`case when ${staticExports.paths} is null and ${staticExports.group} = 'completed'
        then ${pages}::float8 end`.as('pages'),
    })
    .from(staticExports)
    .where(and(finished, gte(staticExports.startedAt, from)))
    .orderBy(sql`${staticExports.startedAt} desc nulls first`)
    .limit(maxCounted)
    .as('latest')
  const day = sql`date_trunc('day', ${latest.startedAt}, 'UTC')`
  const [points, counted] = await Promise.all([
    ofDomain === undefined
      ? []
      : db
          .select({ row: staticExports, findings, pages })
          .from(staticExports)
          .leftJoin(checked, sql`checked.export_id = ${staticExports.exportId}`)
          .where(finished)
          .orderBy(sql`${desc(staticExports.startedAt)} nulls first`, staticExports.exportId)
          .limit(maxPoints),
    db.execute<Counted & { first: Date | null }>(sql`
      select ${day} as day, min(${latest.startedAt}) as first,
        count(*) filter (where outcome = 'completed')::int as completed,
        count(*) filter (where outcome in ('failed', 'refused'))::int as failed,
        count(*) filter (where outcome in ('unknown', 'gone'))::int as lost,
        count(took)::int as timed, count(pages)::int as counted,
        percentile_disc(0.5) within group (order by took) as "durationMs",
        percentile_disc(0.5) within group (order by pages) as pages
      from ${latest} group by grouping sets ((${day}), ()) order by day`),
  ])
  const days = counted.rows.filter((row) => row.day !== null)
  const total = counted.rows.find((row) => row.day === null)!
  const isCut = total.completed + total.failed + total.lost === maxCounted && total.first !== null
  return {
    value: {
      exports: points.toReversed().map(toPoint),
      from: (isCut ? new Date(total.first!) : from).toISOString(),
      days: days.map((row) => ({ day: new Date(row.day!).toISOString(), ...toOutcomes(row) })),
      total: toOutcomes(total),
    },
    until: query.from === undefined ? today + dayMs : null,
  }
}
