import { bigint, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '#ground/db/watch-columns.ts'

/** Scheduled backups that were begun. No backup includes them: they belong to the target, not to the data. */
export const backupRuns = pgTable(
  'backup_runs',
  {
    runId: uuid('run_id').primaryKey().defaultRandom(),
    startedAt: instant('started_at').notNull(),
    /** Null while it runs, or when its process was killed. */
    endedAt: instant('ended_at'),
    /** Name in the target. Null unless it was made. */
    name: text('name'),
    sizeBytes: bigint('size_bytes', { mode: 'number' }),
    /** Why it failed, in a sentence. */
    reason: text('reason'),
  },
  (t) => [index('backup_runs_started').on(t.startedAt)],
)
