import { boolean, integer, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { embedded } from '#database/schema.ts'

/** Processes of the service that are alive, or were until a moment ago. */
export const processes = embedded.table('processes', {
  id: uuid('id').primaryKey(),
  /** Name of the machine. */
  host: text('host').notNull(),
  /** Whether it answers requests. */
  serves: boolean('serves').notNull(),
  /** Exports that it works on at once. */
  exports: integer('exports').notNull(),
  /** Agent jobs that it works on at once. */
  agents: integer('agents').notNull(),
  /** Digest of its exporter. */
  exporter: text('exporter').notNull(),
  /** Id of the storage where it keeps bundles. Null: the storage did not answer. */
  store: text('store'),
  /** Marker of the embedded code host that it has. Null: it has no projects of that kind. */
  codeHost: text('code_host'),
  startedAt: timestamp('started_at', { withTimezone: true, precision: 3 }).notNull().defaultNow(),
  /** By the clock of the database. */
  seenAt: timestamp('seen_at', { withTimezone: true, precision: 3 }).notNull().defaultNow(),
})
