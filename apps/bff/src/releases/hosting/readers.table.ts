import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '#ground/db/watch-columns.ts'

/** People who read a hosted channel that requires a sign-in. A foreign key in the migration deletes the row with the session. */
export const readers = pgTable(
  'readers',
  {
    readerId: uuid('reader_id').primaryKey().defaultRandom(),
    sessionId: uuid('session_id').notNull(),
    /** Hostname, with its port, for which the ticket and the cookie are valid. */
    hostname: text('hostname').notNull(),
    /** Hex SHA-256. */
    ticketHash: text('ticket_hash').notNull().unique(),
    ticketExpiresAt: instant('ticket_expires_at').notNull(),
    /** Hex SHA-256 of the cookie. Null before the ticket is used. */
    keyHash: text('key_hash').unique(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [index('readers_session').on(t.sessionId, t.createdAt), index('readers_expiry').on(t.expiresAt)],
)
