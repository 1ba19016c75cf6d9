import type { Database } from '#db/database.ts'
import { lateReads, nextReads } from '#polling/due-reads.ts'
import { staticExports } from './static-exports.table.ts'
import { hasJobId } from '#static-exports/watching/reader.ts'

/** The reads of exports that are late or come next. `now` in milliseconds since the epoch. */
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
