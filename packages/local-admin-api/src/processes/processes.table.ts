import { boolean, integer, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { embedded } from '#database/database.ts'

/** Processes that are alive, or were until a moment ago. */
export const processes = embedded.table('processes', {
  id: uuid('id').primaryKey(),
  host: text('host').notNull(),
  serves: boolean('serves').notNull(),
  exports: integer('exports').notNull(),
  agents: integer('agents').notNull(),
  exporter: text('exporter').notNull(),
  /** Id of the storage where it keeps bundles. Null: the storage did not answer. */
  store: text('store'),
  /** Marker of the embedded code host that it has. Null: it has no projects of that kind. */
  codeHost: text('code_host'),
  startedAt: timestamp('started_at', { withTimezone: true, precision: 3 }).notNull().defaultNow(),
  /** By the clock of the database. */
  seenAt: timestamp('seen_at', { withTimezone: true, precision: 3 }).notNull().defaultNow(),
})
