import type { ArtifactState, NotStoredReason, StoringPhase } from '@docket/api-types/artifacts'
import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '#ground/db/watch-columns.ts'
import { sites } from '#ground/db/sites.table.ts'

/**
 * State of a bundle: `writing` by the process `writer` · `stored` whole and verified · `missing` referred to, and the store lacks its objects ·
 * `found` its objects had no row, so only `storedBytes` is known, and `storedAt` is when this database saw them first · `deleting` its objects
 * go, and nobody may refer to it any more.
 */
export type BundleState = 'writing' | 'stored' | 'missing' | 'found' | 'deleting'

/** Bundles, by their bytes. A row exists before the first object of a bundle is written, and until the last one is gone. */
export const storedBundles = pgTable('stored_bundles', {
  /** Lower-case hexadecimal. */
  sha256: text('sha256').primaryKey(),
  state: text('state').$type<BundleState>().notNull().default('stored'),
  /** Process that writes it. Null unless `writing`. */
  writer: uuid('writer'),
  /** Name of the store that has it; see `store_processes`. */
  store: text('store'),
  /** When the last reference to it went. Its objects stay for a while, so that nobody loses what they read. */
  releasedAt: instant('released_at'),
  /** When an admin let Docket adopt it. It then stays without a reference. */
  adoptedAt: instant('adopted_at'),
  ending: text('ending').notNull(),
  sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull(),
  /** Bytes of everything in the store that belongs to it. */
  storedBytes: bigint('stored_bytes', { mode: 'number' }).notNull(),
  contentBytes: bigint('content_bytes', { mode: 'number' }).notNull(),
  files: integer('files').notNull(),
  pages: integer('pages').notNull(),
  /** Null when the check finished; else why not. */
  checkUnfinished: text('check_unfinished'),
  storedAt: instant('stored_at').notNull(),
})

/** The copy of the bundle of each completed export. Exports completed before have no row until somebody asks. */
export const artifacts = pgTable(
  'artifacts',
  {
    /** Without a reference: an older replica may delete the export, and the clean-up follows. */
    exportId: uuid('export_id').primaryKey(),
    siteId: uuid('site_id')
      .notNull()
      .references(() => sites.siteId),
    state: text('state').$type<ArtifactState>().notNull(),
    reason: text('reason').$type<NotStoredReason>(),
    detail: text('detail'),
    phase: text('phase').$type<StoringPhase>(),
    done: bigint('done', { mode: 'number' }),
    total: bigint('total', { mode: 'number' }),
    sha256: text('sha256').references(() => storedBundles.sha256),
    /** Start of the export, which is the order of the artifacts of a site. */
    exportedAt: instant('exported_at').notNull().defaultNow(),
    /** Attempts to store it since somebody or the end of the export asked. */
    attempts: integer('attempts').notNull().default(0),
    kept: boolean('kept').notNull().default(false),
    storedAt: instant('stored_at'),
    /** Causes that nobody accepted. Null until the check. */
    breaks: integer('breaks'),
    leaks: integer('leaks'),
    notes: integer('notes'),
    /** Those that the artifact before did not have. Null without one. */
    newBreaks: integer('new_breaks'),
    newLeaks: integer('new_leaks'),
    newNotes: integer('new_notes'),
    /** Export that it was compared with: the one stored before. */
    comparedWith: uuid('compared_with'),
    pagesAdded: integer('pages_added'),
    pagesRemoved: integer('pages_removed'),
    pagesChanged: integer('pages_changed'),
    pagesMoved: integer('pages_moved'),
  },
  (t) => [
    index('artifacts_site').on(t.siteId, t.exportedAt.desc().nullsFirst(), t.exportId),
    index('artifacts_sha256')
      .on(t.sha256)
      .where(sql`${t.sha256} is not null`),
    index('artifacts_storing')
      .on(t.exportId)
      .where(sql`${t.state} = 'storing'`),
    index('artifacts_findings')
      .on(t.exportId)
      .where(sql`${t.breaks} + ${t.leaks} > 0`),
  ],
)

/** Causes that people accepted for all artifacts of a site. */
export const acceptedFindings = pgTable(
  'accepted_findings',
  {
    siteId: uuid('site_id')
      .notNull()
      .references(() => sites.siteId, { onDelete: 'cascade' }),
    fingerprint: text('fingerprint').notNull(),
    reason: text('reason').notNull(),
    by: text('accepted_by').notNull(),
    at: instant('accepted_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.fingerprint] })],
)

/** Requests that a browser refused while somebody looked at a preview. They are findings of level *leaks*. */
export const previewViolations = pgTable(
  'preview_violations',
  {
    sha256: text('sha256')
      .notNull()
      .references(() => storedBundles.sha256, { onDelete: 'cascade' }),
    page: text('page').notNull(),
    directive: text('directive').notNull(),
    /** Address that was asked for, cut. */
    target: text('target').notNull(),
    count: integer('count').notNull().default(1),
    firstSeenAt: instant('first_seen_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.sha256, t.page, t.directive, t.target] })],
)

/**
 * What this database knows of a store: `known` · `unknown` it had bundles before this database knew it, and an admin has yet to decide ·
 * `adopting` them · `left` they stay as they are.
 */
export type StoreState = 'known' | 'unknown' | 'adopting' | 'left'

/** Stores that processes of this database have used. */
export const stores = pgTable('stores', {
  store: text('store').primaryKey(),
  state: text('state').$type<StoreState>().notNull(),
  seenAt: instant('seen_at').notNull(),
  restoredAt: instant('restored_at'),
})

/** Processes that run now, and the store of each. Only processes with the same store share what they keep. */
export const storeProcesses = pgTable('store_processes', {
  processId: uuid('process_id').primaryKey(),
  /** Marker of the folder, or address and bucket. */
  store: text('store').notNull(),
  seenAt: instant('seen_at').notNull(),
})
