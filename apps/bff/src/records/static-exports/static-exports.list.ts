import { StaticExportGroup, type StaticExportListQuery } from '@docket/api-types/static-exports'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Activity } from '@docket/api-types/activity'
import type { Database } from '#ground/db/database.ts'
import { readDistinctValues } from '#ground/db/list-queries.ts'
import { createRecordList } from '#ground/db/record-list.ts'
import type { Titles } from '#service/history/endings.ts'
import { isWithin, type TokenScope } from '#ground/http/access/token-scope.ts'
import type { StaticExportRow } from './static-exports.state.ts'
import { searchableExport, staticExports } from './static-exports.table.ts'
import { hasJobId } from './static-exports.rows.ts'

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** No person has accepted these broken links or outside requests. */
const hasFindings = sql`${staticExports.exportId} in (
  select export_id from artifacts where breaks + leaks > 0 and state = 'stored')`

const list = createRecordList({
  list: { name: 'static_exports', table: staticExports },
  groups: StaticExportGroup.options,
  active: 'active',
  scope: { name: 'domains', column: staticExports.domain },
  order: {
    at: staticExports.startedAt,
    keys: [staticExports.exportId],
    toPlace: ({ startedAt, exportId }: StaticExportRow) => [startedAt.getTime(), [exportId]],
    isKey: (key) => uuid.test(key),
  },
  lead: { column: staticExports.domain, read: ({ domain }) => domain },
  words: searchableExport(staticExports),
  filter: ({ domain, findings }: StaticExportListQuery) =>
    and(
      domain === undefined ? undefined : eq(staticExports.domain, domain),
      findings === true ? hasFindings : undefined,
    ),
})

export const { countActive, rowsOfPage, page: readExportPage, allRows: allExports } = list

export const visibleExports = list.seen

/** Returns the first 100 domains in alphabetical order. */
export const listExportDomains = (db: Database, scope: TokenScope): Promise<string[]> =>
  readDistinctValues(db, staticExports, staticExports.domain, list.seen(scope))

export const listRunningExports = async (
  db: Database,
  limit: number,
  scope: TokenScope,
): Promise<Activity['running']> => {
  const rows = await list.newestActive(db, limit, scope)
  return rows.map(({ exportId, connectionId, domain, state, status, progress, startedAt }) => ({
    key: { type: 'static_export', exportId },
    title: domain,
    connectionId,
    state,
    status,
    progress,
    since: startedAt.toISOString(),
  }))
}

export type NewestExport = { exportId: string; connectionId: string; domain: string; startedAt: number }

/** The newest export of every domain at every connection. */
export const listNewestExports = async (db: Database, scope: TokenScope): Promise<NewestExport[]> => {
  // Jumps from domain to domain in the index, because a domain may have thousands of exports.
  const { rows } = await db.execute<NewestExport>(sql`with recursive found(domain) as (
      (select domain from static_exports where removed_at is null order by domain limit 1)
      union all
      select (select e.domain from static_exports e where e.removed_at is null and e.domain > found.domain order by e.domain limit 1)
      from found where found.domain is not null
    )
    select n.export_id as "exportId", c.connection_id as "connectionId", found.domain,
      (extract(epoch from n.started_at) * 1000)::float8 as "startedAt"
    from found cross join connections c cross join lateral (
      select e.export_id, e.started_at from static_exports e
      where e.removed_at is null and e.domain = found.domain and e.connection_id = c.connection_id
      order by e.started_at desc nulls first, e.export_id limit 1
    ) n where found.domain is not null`)
  return rows.filter(
    ({ domain, connectionId }) => isWithin(scope.domains, domain) && isWithin(scope.connectionIds, connectionId),
  )
}

/** Titles are domains. Omits exports outside the scope. */
export const createExportTitleFinder = (db: Database, scope: TokenScope): Titles => ({
  type: 'static_export',
  find: async (keys) => {
    const ids = keys.flatMap((key) => (key.type === 'static_export' ? key.exportId : []))
    if (ids.length === 0) return new Map()
    const rows = await db
      .select({
        exportId: staticExports.exportId,
        connectionId: staticExports.connectionId,
        title: staticExports.domain,
      })
      .from(staticExports)
      .where(and(inArray(staticExports.exportId, ids), isNull(staticExports.removedAt), list.seen(scope)))
    return new Map(rows.map(({ exportId, ...titled }) => [exportId, titled]))
  },
})

export const exportReads = {
  table: staticExports,
  readableAt: (connectionId: string) => and(hasJobId, eq(staticExports.connectionId, connectionId)),
  toTitled: ({ exportId, domain }: StaticExportRow) => ({
    key: { type: 'static_export' as const, exportId },
    title: domain,
  }),
}
