import { bigint, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '#ground/db/watch-columns.ts'

/** Scheduled backups that were started. No backup includes this table, because it describes the target, not the data. */
export const backupRuns = pgTable(
  'backup_runs',
  {
    runId: uuid('run_id').primaryKey().defaultRandom(),
    startedAt: instant('started_at').notNull(),
    /** Null while it runs, or when its process was killed. */
    endedAt: instant('ended_at'),
    /** Name of the backup in the target. Null unless the backup was made. */
    name: text('name'),
    sizeBytes: bigint('size_bytes', { mode: 'number' }),
    /** Readable reason why it failed. */
    reason: text('reason'),
  },
  (t) => [index('backup_runs_started').on(t.startedAt)],
)
