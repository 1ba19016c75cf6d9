import type { GrantRole } from '@docket/api-types/roles'
import { sql } from 'drizzle-orm'
import { check, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant } from '#ground/db/watch-columns.ts'

/**
 * Roles of people and groups for a site or one of its channels. This is a separate table, because an older replica would treat a grant
 * without a connection as a role over everything. Any change renews the tag of `accounts`. The migration has the references.
 */
export const siteGrants = pgTable(
  'site_grants',
  {
    grantId: uuid('grant_id').primaryKey().defaultRandom(),
    userId: uuid('user_id'),
    oidcGroup: text('oidc_group'),
    role: text('role').$type<GrantRole>().notNull(),
    siteId: uuid('site_id').notNull(),
    /** Null when the role covers every channel. */
    channelId: uuid('channel_id'),
    createdBy: text('created_by'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('site_grants_subject').on(
      sql`coalesce(${t.userId}::text, 'group ' || ${t.oidcGroup})`,
      t.siteId,
      sql`coalesce(${t.channelId}, '00000000-0000-0000-0000-000000000000'::uuid)`,
    ),
    check('site_grants_who', sql`(${t.userId} is null) <> (${t.oidcGroup} is null)`),
  ],
)
