import type { StaticExportGroup, StaticExportState } from '@docket/api-types/static-exports'
import { sql, type SQL } from 'drizzle-orm'
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
  type PgColumn,
} from 'drizzle-orm/pg-core'
import { connectionColumn } from '#ground/db/connections.table.ts'
import { attentionColumns, needsAttention, noteColumns } from '#ground/db/attention.ts'
import { instant, watchColumns } from '#ground/db/watch-columns.ts'
import { splitSearchTerms } from '#ground/db/search.ts'

/** `between`: the export sent a number between 0 and 1. `fraction`: it completed in a way that a percentage would not. */
export type ProgressEvidence = 'between' | 'fraction'

const groupSql = sql`case
  when state in ('starting', 'accepted') and gone_at is null then 'active'
  when state = 'accepted' then 'gone'
  else state end`

/** Counts from the start for an unknown outcome, and from the end for a failed export. Null for other exports. */
const troubledAt = sql`case
  when state = 'unknown' and replaced_by is null then timestamptz '9999-01-01 00:00:00+00'
  when state in ('failed', 'refused') then coalesce(finished_at, started_at)
  when state = 'accepted' then gone_at end`

export const searchableExport = (t: Record<'domain' | 'version' | 'jobId' | 'status', SQL | PgColumn>): SQL =>
  splitSearchTerms([t.domain, t.version, t.jobId, t.status])

/** The intent is written before the call; the rest is the last good snapshot (Admin API §2.3). */
export const staticExports = pgTable(
  'static_exports',
  {
    exportId: uuid('export_id').primaryKey(),
    connectionId: connectionColumn(),
    /** The browser chooses it. Null for imported exports. Unique, so that a repeated request finds the same row. */
    requestId: uuid('request_id'),
    domain: text('domain').notNull(),
    version: text('version'),
    paths: jsonb('paths').$type<string[]>(),
    state: text('state').$type<StaticExportState>().notNull(),
    jobId: text('job_id'),
    status: text('status'),
    /** Percent as shown, 0 to 100. */
    progress: doublePrecision('progress'),
    /** True once the service sent a number above 1, which proves that it counts in percent. */
    progressIsPercent: boolean('progress_is_percent').notNull().default(false),
    progressEvidence: text('progress_evidence').$type<ProgressEvidence>(),
    /** The last number up to 1 that the service sent, and how often such numbers rose. */
    progressSent: doublePrecision('progress_sent'),
    progressSteps: integer('progress_steps').notNull().default(0),
    pageCount: integer('page_count'),
    pagesPerSecond: doublePrecision('pages_per_second'),
    /** Digest of the exporter of the embedded service. A different one means that the export was restarted. */
    exporter: text('exporter'),
    reason: text('reason'),
    imported: boolean('imported').notNull().default(false),
    startedAt: instant('started_at').notNull(),
    finishedAt: instant('finished_at'),
    /** Duration of a whole export that Docket started, in milliseconds. Null before completion, and when Docket did not observe the end. */
    tookMs: bigint('took_ms', { mode: 'number' }),
    goneAt: instant('gone_at'),
    replacedBy: uuid('replaced_by'),
    bundleSizeBytes: bigint('bundle_size_bytes', { mode: 'number' }),
    bundleSha256: text('bundle_sha256'),
    bundlePreparedAt: instant('bundle_prepared_at'),
    ...watchColumns,
    ...attentionColumns,
    ...noteColumns,
    /** The database computes `group` and `troubledAt`. */
    group: text('list_group').$type<StaticExportGroup>().notNull().generatedAlwaysAs(groupSql),
    troubledAt: instant('troubled_at').generatedAlwaysAs(troubledAt),
  },
  (t) => [
    uniqueIndex('static_exports_request').on(t.requestId),
    // One row per job of the service, so that neither two imports nor an attach can list the same job twice.
    uniqueIndex('static_exports_job')
      .on(t.connectionId, t.jobId)
      .where(sql`${t.jobId} is not null and ${t.removedAt} is null`),
    index('static_exports_list')
      .on(t.startedAt.desc().nullsFirst(), t.exportId)
      .where(sql`${t.removedAt} is null`),
    index('static_exports_group')
      .on(t.group, t.startedAt.desc().nullsFirst(), t.exportId)
      .where(sql`${t.removedAt} is null`),
    index('static_exports_domain')
      .on(t.domain, t.startedAt.desc().nullsFirst(), t.exportId)
      .where(sql`${t.removedAt} is null`),
    index('static_exports_group_domain')
      .on(t.group, t.domain, t.startedAt.desc().nullsFirst(), t.exportId)
      .where(sql`${t.removedAt} is null`),
    index('static_exports_connection')
      .on(t.connectionId, t.startedAt.desc().nullsFirst(), t.exportId)
      .where(sql`${t.removedAt} is null`),
    index('static_exports_attention')
      .on(t.startedAt.desc().nullsFirst(), t.exportId)
      .where(sql`${t.removedAt} is null and ${needsAttention(t)}`),
    index('static_exports_search')
      .using('gin', searchableExport(t))
      // With GIN fast updates, every search would scan the latest changes one by one.
      .with({ fastupdate: false })
      .where(sql`${t.removedAt} is null`),
    index('static_exports_changing')
      .on(t.connectionId, t.changingSince, t.viewedUntil)
      .where(
        sql`${t.nextCheckAt} is not null and ${t.finishedAt} is null and ${t.goneAt} is null and ${t.removedAt} is null`,
      ),
    index('static_exports_endings')
      .on(t.finishedAt.desc().nullsFirst())
      .where(sql`${t.unfinishedAt} is not null and ${t.finishedAt} is not null`),
    index('static_exports_took')
      .on(t.domain, t.finishedAt.desc().nullsFirst(), t.tookMs)
      .where(sql`${t.tookMs} is not null`),
    index('static_exports_removed')
      .on(t.removedAt)
      .where(sql`${t.removedAt} is not null`),
    index('static_exports_due')
      .on(t.connectionId, t.nextCheckAt)
      .where(sql`${t.nextCheckAt} is not null`),
  ],
)
