import type { Role } from '@docket/api-types/session'
import { sql } from 'drizzle-orm'
import { check, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { users } from './accounts.table.ts'
import { connections } from '#ground/db/connections.table.ts'
import { instant } from '#ground/db/watch-columns.ts'

/**
 * Roles of people and of groups of the identity provider, over everything or one connection. The highest role that covers a record applies.
 * A trigger keeps the row for `users.role`, the role over everything, up to date. Any change renews the tag of `accounts`.
 */
export const grants = pgTable(
  'grants',
  {
    grantId: uuid('grant_id').primaryKey().defaultRandom(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    /** Group of the identity provider; its members at their last sign-in. */
    oidcGroup: text('oidc_group'),
    role: text('role').$type<Role>().notNull(),
    /** Null when the role covers everything. */
    connectionId: uuid('connection_id').references(() => connections.connectionId, { onDelete: 'cascade' }),
    createdBy: text('created_by'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('grants_person').on(
      t.userId,
      sql`coalesce(${t.connectionId}, '00000000-0000-0000-0000-000000000000'::uuid)`,
    ),
    uniqueIndex('grants_group').on(
      t.oidcGroup,
      sql`coalesce(${t.connectionId}, '00000000-0000-0000-0000-000000000000'::uuid)`,
    ),
    index('grants_connection').on(t.connectionId),
    check('grants_subject', sql`(${t.userId} is null) <> (${t.oidcGroup} is null)`),
  ],
)
