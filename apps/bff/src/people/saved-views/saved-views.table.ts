import type { SavedViewList } from '@docket/api-types/saved-views'
import { sql } from 'drizzle-orm'
import { pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { users } from '#people/accounts/accounts.table.ts'
import { instant } from '#ground/db/watch-columns.ts'

/** People's own views of lists: a name for a query of the list's address. */
export const savedViews = pgTable(
  'saved_views',
  {
    viewId: uuid('view_id').primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    list: text('list').$type<SavedViewList>().notNull(),
    name: text('name').notNull(),
    query: text('query').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [uniqueIndex('saved_views_name').on(t.userId, t.list, sql`lower(${t.name})`)],
)
