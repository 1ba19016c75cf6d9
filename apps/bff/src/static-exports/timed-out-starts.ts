import { and, eq, lte, notLike, sql } from 'drizzle-orm'
import type { Database } from '#db/database.ts'
import { listEvents } from './static-exports.history.ts'
import { countExportChange, isExport, recordExportEvents } from './static-exports.rows.ts'
import { staticExports } from './static-exports.table.ts'
import { afterLostAnswer } from './static-exports.state.ts'

/**
 * Marks starts without an answer as `unknown`: those whose lease expired or, with `orphansOf`, those of every other
 * process. Never starts anything again. A late answer of a live process still counts.
 */
export const endTimedOutStarts = async (db: Database, now: number, orphanOwner?: string): Promise<void> => {
  const lost = and(
    eq(staticExports.state, 'starting'),
    orphanOwner === undefined
      ? lte(staticExports.nextCheckAt, new Date(now))
      : notLike(sql`coalesce(${staticExports.leaseOwner}, '')`, `${orphanOwner}/%`),
  )
  const rows = await db.select().from(staticExports).where(lost)
  for (const row of rows)
    await db.transaction(async (tx) => {
      const outcome = afterLostAnswer(row, null, now)
      const { state, reason, nextCheckAt } = outcome
      const ended = await tx
        .update(staticExports)
        .set({ state, reason, nextCheckAt, leaseOwner: null, leaseUntil: null })
        .where(and(isExport(row.exportId), lost))
        .returning({ exportId: staticExports.exportId })
      if (ended.length === 0) return
      await countExportChange(tx, isExport(row.exportId))
      await recordExportEvents(tx, row.exportId, listEvents(row, outcome, { now, runningSince: now }))
    })
}
