import { boolean, integer, pgTable, uuid } from 'drizzle-orm/pg-core'
import { connections } from '#ground/db/connections.table.ts'

/** Scale of the progress that a connection sends, as its exports proved it. All replicas share it. */
export const progressScales = pgTable('progress_scales', {
  connectionId: uuid('connection_id')
    .primaryKey()
    .references(() => connections.connectionId, { onDelete: 'cascade' }),
  /** Exports that completed with exactly 1, after numbers between 0 and 1. */
  fractions: integer('fractions').notNull().default(0),
  /** A number above 1 came. Proves percent for good. */
  percent: boolean('percent').notNull().default(false),
})
