import { StaticExportGroup, type StaticExportList, type StaticExportListQuery } from '@docket/api-types/static-exports'
import { and, desc, eq, inArray, isNull, type SQL } from 'drizzle-orm'
import type { Activity } from '@docket/api-types/activity'
import type { Database } from '#db/database.ts'
import {
  countGroups,
  countMatches,
  countTrouble,
  distinctValues,
  foundFirst,
  needsAttention,
  within,
} from '#db/list-queries.ts'
import { pages } from '#db/pages.ts'
import { groupCounts } from '#db/revision.ts'
import { beginsTerms } from '#db/search.ts'
import type { Titles } from '#history/endings.ts'
import type { TokenScope } from '#http/access/token-scope.ts'
import { lateReads, nextReads } from '#polling/due-reads.ts'
import type { StaticExportRow } from './static-exports.state.ts'
import { searchableExport, staticExports } from './static-exports.table.ts'
import { hasJobId } from './static-exports.watcher.ts'

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const order = {
  at: staticExports.startedAt,
  keys: [staticExports.exportId],
  toPlace: ({ startedAt, exportId }: StaticExportRow): [number, string[]] => [startedAt.getTime(), [exportId]],
  isKey: (key: string) => uuid.test(key),
}

const orders = {
  newest: pages(order),
  oldest: pages({ ...order, oldestFirst: true }),
  domain: pages({ ...order, lead: { column: staticExports.domain, read: ({ domain }: StaticExportRow) => domain } }),
}

const noExports = Object.fromEntries(StaticExportGroup.options.map((group) => [group, 0])) as Record<
  StaticExportGroup,
  number
>

const inScope = (domains: TokenScope['domains']) => within(staticExports.domain, domains)

const countWithin = (db: Database, domains: TokenScope['domains']) => {
  const which = inScope(domains)
  return which === undefined ? groupCounts(db, 'static_exports') : countGroups(db, staticExports, which)
}

/** Counts the exports (of some domains) that have not ended. */
export const countActive = async (db: Database, domains: TokenScope['domains'] = null): Promise<number> =>
  (await countWithin(db, domains))['active'] ?? 0

/** Converts the filters of a query to a condition. Undefined without a filter. */
const toFilter = ({ q, domain, attention }: StaticExportListQuery, now: number): SQL | undefined =>
  and(
    domain === undefined ? undefined : eq(staticExports.domain, domain),
    attention === true ? needsAttention(staticExports, now) : undefined,
    beginsTerms(searchableExport(staticExports), q),
  )

// The indexes for searches and for `attention` return rows in another order.
const isOrdered = ({ q, attention }: StaticExportListQuery) => q === undefined && attention !== true

/** Time and domains of a request. */
type View = { now: number; domains: TokenScope['domains'] }

const inGroup = ({ group }: StaticExportListQuery): SQL | undefined =>
  group === undefined ? undefined : eq(staticExports.group, group)

const countExports = async (db: Database, query: StaticExportListQuery, { now, domains }: View) => {
  const filter = toFilter(query, now)
  const own = inScope(domains)
  const [byGroup, { attention, until }, matches] = await Promise.all([
    countWithin(db, domains),
    countTrouble(db, staticExports, now, own),
    filter === undefined
      ? null
      : countMatches(
          db,
          staticExports,
          and(inGroup(query), filter, own),
          isOrdered(query) ? orders.newest.order : null,
        ),
  ])
  const groups = { ...noExports, ...byGroup }
  const all = Object.values(groups).reduce((sum, count) => sum + count, 0)
  const matching = matches ?? (query.group === undefined ? null : { count: groups[query.group], more: false })
  const counts: StaticExportList['counts'] = { all, active: groups.active, attention, groups, matching }
  return { counts, until }
}

/** One page of listed exports (of some domains). */
export const rowsOfPage = (db: Database, query: StaticExportListQuery, { now, domains }: View) => {
  const { order: by, read } = orders[query.sort]
  const filter = and(isNull(staticExports.removedAt), inGroup(query), toFilter(query, now), inScope(domains))
  return read(query, (range, limit) =>
    db
      .select()
      .from(staticExports)
      .where(query.q === undefined ? and(filter, range) : foundFirst(staticExports, and(filter, range), by, limit))
      .orderBy(...by)
      .limit(limit),
  )
}

/**
 * One page of listed exports (of some domains) with the counts of the list as of `now`. `until` is when the counts next change without a
 * write, or null. Both in milliseconds since the epoch.
 */
export const pageOfExports = async (db: Database, query: StaticExportListQuery, view: View) => {
  const [page, counts] = await Promise.all([rowsOfPage(db, query, view), countExports(db, query, view)])
  return { ...page, ...counts }
}

/** The first 100 domains of listed exports (of some domains), alphabetical. */
export const domainsOfExports = (db: Database, domains: TokenScope['domains']): Promise<string[]> =>
  distinctValues(db, staticExports, staticExports.domain, inScope(domains))

/** The newest running exports, within the scope. */
export const runningExports = async (
  db: Database,
  limit: number,
  domains: TokenScope['domains'],
): Promise<Activity['running']> => {
  const rows = await db
    .select()
    .from(staticExports)
    .where(
      and(eq(staticExports.group, 'active'), isNull(staticExports.removedAt), within(staticExports.domain, domains)),
    )
    .orderBy(desc(staticExports.startedAt), staticExports.exportId)
    .limit(limit)
  return rows.map(({ exportId, domain, state, status, progress, startedAt }) => ({
    key: { type: 'static_export', exportId },
    title: domain,
    state,
    status,
    progress,
    since: startedAt.toISOString(),
  }))
}

/** Titles of exports: their domains. Leaves out domains outside the scope. */
export const exportTitles = (db: Database, domains: TokenScope['domains']): Titles => ({
  type: 'static_export',
  find: async (keys) => {
    const ids = keys.flatMap((key) => (key.type === 'static_export' ? key.exportId : []))
    if (ids.length === 0) return new Map()
    const rows = await db
      .select({ exportId: staticExports.exportId, domain: staticExports.domain })
      .from(staticExports)
      .where(
        and(
          inArray(staticExports.exportId, ids),
          isNull(staticExports.removedAt),
          within(staticExports.domain, domains),
        ),
      )
    return new Map(rows.map(({ exportId, domain }) => [exportId, domain]))
  },
})

/** Overdue and next reads of exports. `now` in milliseconds since the epoch. */
export const exportReads = (db: Database, now: () => number) => ({
  calls: 'static_exports' as const,
  late: () => lateReads(db, staticExports, { now: now(), readable: hasJobId }),
  next: async (limit: number) =>
    (await nextReads(db, staticExports, { limit, readable: hasJobId })).map((row) => ({
      key: { type: 'static_export' as const, exportId: row.exportId },
      title: row.domain,
      nextCheckAt: row.nextCheckAt.toISOString(),
    })),
})
