import { pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { connections } from '#ground/db/connections.table.ts'
import { instant } from '#ground/db/watch-columns.ts'

/** There is a row for each key that was in use, so that a new key has no history. */
export const connectionKeys = pgTable(
  'connection_keys',
  {
    connectionId: uuid('connection_id')
      .notNull()
      .references(() => connections.connectionId, { onDelete: 'cascade' }),
    /** Keyed hash of the key, which tells keys apart and reveals nothing. */
    fingerprint: text('fingerprint').notNull(),
    firstUsedAt: instant('first_used_at').notNull(),
    lastAcceptedAt: instant('last_accepted_at'),
    lastRejectedAt: instant('last_rejected_at'),
    /** Only the replica that claimed the test makes it. */
    checkClaimedAt: instant('check_claimed_at'),
    checkOutcome: text('check_outcome').$type<'proven' | 'rejected' | 'not_proven'>(),
    checkMessage: text('check_message'),
    checkedAt: instant('checked_at'),
  },
  (t) => [primaryKey({ columns: [t.connectionId, t.fingerprint] })],
)
