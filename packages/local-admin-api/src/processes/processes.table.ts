import { boolean, integer, text, uuid } from 'drizzle-orm/pg-core'
import { embedded, instant } from '#database/database.ts'

/** Processes that are running, or were a moment ago. */
export const processes = embedded.table('processes', {
  id: uuid('id').primaryKey(),
  host: text('host').notNull(),
  serves: boolean('serves').notNull(),
  exports: integer('exports').notNull(),
  agents: integer('agents').notNull(),
  exporter: text('exporter').notNull(),
  /** Id of the storage of its bundles. Null when the storage did not respond. */
  store: text('store'),
  /** Marker of its embedded code host. Null when it has none. */
  codeHost: text('code_host'),
  startedAt: instant('started_at').notNull().defaultNow(),
  /** By the clock of the database. */
  seenAt: instant('seen_at').notNull().defaultNow(),
})
