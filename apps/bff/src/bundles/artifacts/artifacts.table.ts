import type { ArtifactState, NotStoredReason, StoringPhase } from '@docket/api-types/artifacts'
import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '#ground/db/watch-columns.ts'
import { sites } from '#ground/db/sites.table.ts'

/**
 * State of a bundle: `writing` by the process `writer` · `stored` completely and verified · `missing` although something refers to it,
 * because the store lacks its objects · `found` in the store without a row, so only `storedBytes` is known, and `storedAt` is when this
 * database first saw it · `deleting` its objects, so nothing may refer to it any more.
 */
export type BundleState = 'writing' | 'stored' | 'missing' | 'found' | 'deleting'

/** Bundles, identified by their bytes. A row exists before the first object of a bundle is written, and until the last one is removed. */
export const storedBundles = pgTable('stored_bundles', {
  /** Lower-case hexadecimal. */
  sha256: text('sha256').primaryKey(),
  state: text('state').$type<BundleState>().notNull().default('stored'),
  /** Process that writes the bundle. Null unless `writing`. */
  writer: uuid('writer'),
  /** Name of the store that contains the bundle; see `store_processes`. */
  store: text('store'),
  /** When the last reference was removed. The objects stay for a while, so that reads in progress can finish. */
  releasedAt: instant('released_at'),
  /** When an admin let Docket adopt the bundle. It is then kept even without a reference. */
  adoptedAt: instant('adopted_at'),
  ending: text('ending').notNull(),
  sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull(),
  /** Bytes of everything in the store that belongs to the bundle. */
  storedBytes: bigint('stored_bytes', { mode: 'number' }).notNull(),
  contentBytes: bigint('content_bytes', { mode: 'number' }).notNull(),
  files: integer('files').notNull(),
  pages: integer('pages').notNull(),
  /** Null when the check finished; else why not. */
  checkUnfinished: text('check_unfinished'),
  storedAt: instant('stored_at').notNull(),
  /** Of its first page. Null until Docket tried to take one; `none` when it could not. */
  picture: text('picture').$type<'taken' | 'none'>(),
})

/** Exports from before Docket stored bundles have no row until somebody requests one. */
export const artifacts = pgTable(
  'artifacts',
  {
    /** Not a foreign key: an older replica may delete the export, and the clean-up removes this row later. */
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
    /** Start of the export. Artifacts of a site are ordered by it. */
    exportedAt: instant('exported_at').notNull().defaultNow(),
    /** Attempts to store the bundle since it was last requested, by a person or by the completion of the export. */
    attempts: integer('attempts').notNull().default(0),
    kept: boolean('kept').notNull().default(false),
    /** The bundle is made of an uploaded archive of a built site. */
    madePortable: boolean('made_portable').notNull().default(false),
    storedAt: instant('stored_at'),
    /** Causes that were not accepted. Null until the check. */
    breaks: integer('breaks'),
    leaks: integer('leaks'),
    notes: integer('notes'),
    /** Causes that the previous artifact did not have. Null without a previous artifact. */
    newBreaks: integer('new_breaks'),
    newLeaks: integer('new_leaks'),
    newNotes: integer('new_notes'),
    /** Export that the artifact was compared with: the one stored before it. */
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

/** Requests that a browser blocked in a preview. They are findings of level *leaks*. */
export const previewViolations = pgTable(
  'preview_violations',
  {
    sha256: text('sha256')
      .notNull()
      .references(() => storedBundles.sha256, { onDelete: 'cascade' }),
    page: text('page').notNull(),
    directive: text('directive').notNull(),
    /** Requested address, truncated. */
    target: text('target').notNull(),
    count: integer('count').notNull().default(1),
    firstSeenAt: instant('first_seen_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.sha256, t.page, t.directive, t.target] })],
)

/**
 * Relation of this database to a store: `known` · `unknown` when the store had bundles before this database used it, and an admin has yet
 * to decide · `adopting` these bundles · `left` when these bundles are neither adopted nor removed.
 */
export type StoreState = 'known' | 'unknown' | 'adopting' | 'left'

export const stores = pgTable('stores', {
  store: text('store').primaryKey(),
  state: text('state').$type<StoreState>().notNull(),
  seenAt: instant('seen_at').notNull(),
  restoredAt: instant('restored_at'),
})

/** Processes that run now, and the store of each. Only processes with the same store share stored bundles. */
export const storeProcesses = pgTable('store_processes', {
  processId: uuid('process_id').primaryKey(),
  /** Marker of the store's folder, or address and bucket. */
  store: text('store').notNull(),
  seenAt: instant('seen_at').notNull(),
})
