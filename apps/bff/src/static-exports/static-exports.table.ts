import type { StaticExportState } from '@docket/api-types/static-exports'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { instant, watchColumns } from '#db/watch-columns.ts'

/** Static exports: the intent, written before the call, and the last good snapshot (Admin API §2.3). */
export const staticExports = pgTable(
  'static_exports',
  {
    exportId: uuid('export_id').primaryKey(),
    /** From the browser; null for imported ones. Unique, so that a repeated request finds the same row. */
    requestId: uuid('request_id'),
    domain: text('domain').notNull(),
    version: text('version'),
    paths: jsonb('paths').$type<string[]>(),
    state: text('state').$type<StaticExportState>().notNull(),
    jobId: text('job_id'),
    status: text('status'),
    /** Percent as shown, 0 to 100. */
    progress: doublePrecision('progress'),
    /** True once the service sent more than 1, which proves that it counts in percent. */
    progressIsPercent: boolean('progress_is_percent').notNull().default(false),
    pageCount: integer('page_count'),
    /** Speed over the last observations. */
    pagesPerSecond: doublePrecision('pages_per_second'),
    reason: text('reason'),
    imported: boolean('imported').notNull().default(false),
    startedAt: instant('started_at').notNull(),
    finishedAt: instant('finished_at'),
    goneAt: instant('gone_at'),
    replacedBy: uuid('replaced_by'),
    bundleSizeBytes: bigint('bundle_size_bytes', { mode: 'number' }),
    bundleSha256: text('bundle_sha256'),
    bundlePreparedAt: instant('bundle_prepared_at'),
    ...watchColumns,
  },
  (t) => [
    uniqueIndex('static_exports_request').on(t.requestId),
    // One row per job of the service, so that two imports or an attach cannot track the same job twice.
    uniqueIndex('static_exports_job')
      .on(t.jobId)
      .where(sql`${t.jobId} is not null and ${t.removedAt} is null`),
    index('static_exports_list')
      .on(t.startedAt.desc().nullsFirst(), t.exportId)
      .where(sql`${t.removedAt} is null`),
    index('static_exports_domain').on(t.domain, t.startedAt.desc().nullsFirst()),
    index('static_exports_due')
      .on(t.nextCheckAt)
      .where(sql`${t.nextCheckAt} is not null`),
  ],
)
