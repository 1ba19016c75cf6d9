import type { Activity } from '@docket/api-types/activity'
import { and, desc, eq, inArray, isNull } from 'drizzle-orm'
import type { Database } from '#db/database.ts'
import { within } from '#db/list-queries.ts'
import type { Titles } from '#history/endings.ts'
import type { Reach } from '#http/access/reach.ts'
import { staticExports } from './static-exports.table.ts'

/** The newest listed exports (of some domains) that run. */
export const runningExports = async (
  db: Database,
  limit: number,
  domains: Reach['domains'],
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

/** Exports are called by their domain; those of other domains are not called at all. */
export const exportTitles = (db: Database, domains: Reach['domains']): Titles => ({
  type: 'static_export',
  of: async (keys) => {
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
