import { pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { users } from '#people/accounts/accounts.table.ts'
import { instant } from '#ground/db/watch-columns.ts'

/** Versions of Docket that used this database. */
export const versions = pgTable('versions', {
  version: text('version').primaryKey(),
  firstStartedAt: instant('first_started_at').notNull(),
})

/** When people last read what is new. */
export const newsReads = pgTable('news_reads', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  readAt: instant('read_at').notNull(),
})
