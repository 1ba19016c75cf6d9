import { sql } from 'drizzle-orm'
import { index, integer, jsonb, real, smallint, text, uuid } from 'drizzle-orm/pg-core'
import type { PinnedSource } from '@docket/sources/site-sources'
import { embedded, instant } from '#database/database.ts'

export const staticExports = embedded.table(
  'static_exports',
  {
    jobId: text('job_id').primaryKey(),
    domain: text('domain').notNull(),
    version: text('version'),
    /** Page paths to export; null for every page. */
    paths: jsonb('paths').$type<string[]>(),
    /** Commit of a git site, pinned at the start: every attempt reads the same one. */
    pin: jsonb('pin').$type<PinnedSource>(),
    /** `low` puts it behind exports that users are waiting for. */
    priority: text('priority').$type<'normal' | 'low'>().notNull().default('normal'),
    status: text('status').$type<'queued' | 'running' | 'completed' | 'failed'>().notNull(),
    /** 0 to 100. Never decreases, even across a resume. */
    progress: real('progress').notNull().default(0),
    pageCount: integer('page_count').notNull().default(0),
    error: text('error'),
    /** Attempts that the export itself ended: it ran out of memory, hung, or was killed. */
    crashes: smallint('crashes').notNull().default(0),
    losses: smallint('losses').notNull().default(0),
    attemptId: uuid('attempt_id'),
    /** Digest of the exporter that began; another one waits before it starts anew. */
    exporter: text('exporter'),
    cancelAskedAt: instant('cancel_asked_at'),
    /** When a process last touched it, by the clock of the database: the clocks of machines differ. */
    touchedAt: instant('touched_at').notNull().defaultNow(),
    /** Until when a link to the bundle is valid. The bundle is not removed before. */
    lentUntil: instant('lent_until'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    index('static_exports_unfinished')
      .on(t.domain)
      .where(sql`status in ('queued', 'running')`),
    index('static_exports_age').on(t.updatedAt),
  ],
)
