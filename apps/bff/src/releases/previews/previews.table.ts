import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '#ground/db/watch-columns.ts'

/** Previews of bundles. Foreign keys in the migration delete a row with the session that opened the preview, and with the stored bundle. */
export const previews = pgTable(
  'previews',
  {
    previewId: uuid('preview_id').primaryKey().defaultRandom(),
    exportId: uuid('export_id').notNull(),
    sha256: text('sha256').notNull(),
    sessionId: uuid('session_id').notNull(),
    isolation: text('isolation').$type<'own_host' | 'sandbox'>().notNull(),
    /** The first label of its hostname. Null for a preview in a sandbox. */
    label: text('label').unique(),
    /** Origin of the page of Docket that may frame it. */
    framedBy: text('framed_by').notNull(),
    /** Address within the site to open first, then the page that a frame loaded last. */
    page: text('page').notNull(),
    /** Hex SHA-256. */
    ticketHash: text('ticket_hash').notNull().unique(),
    ticketExpiresAt: instant('ticket_expires_at').notNull(),
    /** Hex SHA-256 of the cookie, or of the key in the path of a sandbox. Null before the ticket is used. */
    keyHash: text('key_hash').unique(),
    createdAt: instant('created_at').notNull(),
    /** When the ticket was used. */
    openedAt: instant('opened_at'),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    index('previews_session').on(t.sessionId, t.createdAt),
    index('previews_expiry').on(t.expiresAt),
    index('previews_sha256').on(t.sha256),
  ],
)
