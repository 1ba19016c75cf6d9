import type { PublishCheck, PublishCheckSettings } from '@docket/api-types/publish-checks'
import type { ChannelAccess, ChannelHeader, ReleaseKind } from '@docket/api-types/sites'
import type { ActorKind } from '@docket/api-types/audit'
import { sql } from 'drizzle-orm'
import { type AnyPgColumn, boolean, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { connectionColumn } from '#ground/db/connections.table.ts'
import { instant } from '#ground/db/watch-columns.ts'

/**
 * Documentation sites: one per connection and domain, created with the first artifact. A trigger gives each a label. A person may join a
 * site into another one, which then has its artifacts. A site that somebody removed has no channels.
 */
export const sites = pgTable(
  'sites',
  {
    siteId: uuid('site_id').primaryKey().defaultRandom(),
    connectionId: connectionColumn(),
    domain: text('domain').notNull(),
    createdAt: instant('created_at').notNull(),
    /** Null when it is the domain. */
    name: text('name'),
    /** First label of its hostname. An empty one is replaced by the trigger. */
    label: text('label').notNull().default('').unique(),
    /** Channel that pages call live. Null for `production`. Without a reference, because channels refer to their site. */
    mainChannelId: uuid('main_channel_id'),
    joinedInto: uuid('joined_into').references((): AnyPgColumn => sites.siteId),
  },
  (t) => [uniqueIndex('sites_domain').on(t.connectionId, t.domain)],
)

/**
 * Named pointers of a site. Triggers give every site `production` and `latest`, and refuse to delete the bundle of a held release. `version`
 * grows with each change.
 */
export const channels = pgTable(
  'channels',
  {
    channelId: uuid('channel_id').primaryKey().defaultRandom(),
    siteId: uuid('site_id')
      .notNull()
      .references(() => sites.siteId, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    version: integer('version').notNull().default(0),
    /** True when the channel follows new exports automatically. */
    followsExports: boolean('follows_exports').notNull().default(false),
    /** Without a reference, because releases refer to their channel. */
    currentReleaseId: uuid('current_release_id'),
    /** Number of the newest release. */
    lastNumber: integer('last_number').notNull().default(0),
    pinnedAt: instant('pinned_at'),
    pinnedBy: text('pinned_by'),
    pinReason: text('pin_reason'),
    isProtected: boolean('is_protected').notNull().default(false),
    access: text('access').$type<ChannelAccess>().notNull().default('signed_in'),
    hostname: text('hostname').unique(),
    headers: jsonb('headers').$type<ChannelHeader[]>().notNull().default([]),
    accessLog: boolean('access_log').notNull().default(false),
    /** Null for the default checks. */
    publishChecks: jsonb('publish_checks').$type<PublishCheckSettings>(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [uniqueIndex('channels_name').on(t.siteId, t.name)],
)

/** Releases: what channels showed, and since when. Never changes, except for `isHeld`. The migration has the reference to the bundle. */
export const releases = pgTable(
  'releases',
  {
    releaseId: uuid('release_id').primaryKey().defaultRandom(),
    channelId: uuid('channel_id')
      .notNull()
      .references(() => channels.channelId, { onDelete: 'cascade' }),
    number: integer('number').notNull(),
    kind: text('kind').$type<ReleaseKind>().notNull(),
    /** Null after the release is no longer held and its bundle was deleted. */
    sha256: text('sha256'),
    /** Kept when the bundle is deleted. */
    sum: text('sum').notNull(),
    exportId: uuid('export_id').notNull(),
    pages: integer('pages').notNull(),
    at: instant('released_at').notNull(),
    byKind: text('by_kind').$type<ActorKind>().notNull(),
    byId: text('by_id'),
    byName: text('by_name').notNull(),
    note: text('note'),
    checks: jsonb('checks').$type<PublishCheck[]>().notNull().default([]),
    overrideReason: text('override_reason'),
    isHeld: boolean('is_held').notNull().default(true),
  },
  (t) => [
    uniqueIndex('releases_number').on(t.channelId, t.number),
    index('releases_held')
      .on(t.sha256)
      .where(sql`${t.isHeld}`),
    index('releases_sha256').on(t.sha256),
  ],
)
