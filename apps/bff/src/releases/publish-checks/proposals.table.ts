import { sql } from 'drizzle-orm'
import { pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { channels } from '#ground/db/sites.table.ts'
import { instant } from '#ground/db/watch-columns.ts'

/** Without a bundle, it asks to make the channel public. `endedAt` is null while it is open. */
export const proposals = pgTable(
  'proposals',
  {
    proposalId: uuid('proposal_id').primaryKey().defaultRandom(),
    channelId: uuid('channel_id')
      .notNull()
      .references(() => channels.channelId, { onDelete: 'cascade' }),
    exportId: uuid('export_id'),
    sha256: text('sha256'),
    /** Id of the person, even if they used a token, or of a token whose owner no longer exists. */
    askedById: text('asked_by_id').notNull(),
    askedBy: text('asked_by').notNull(),
    /** Name of the token. */
    askedWith: text('asked_with'),
    note: text('note'),
    askedAt: instant('asked_at').notNull(),
    endedAt: instant('ended_at'),
    outcome: text('outcome').$type<'published' | 'replaced' | 'withdrawn'>(),
  },
  (t) => [
    uniqueIndex('proposals_open')
      .on(t.channelId, sql`(${t.sha256} is null)`)
      .where(sql`${t.endedAt} is null`),
  ],
)

export const approvals = pgTable(
  'approvals',
  {
    proposalId: uuid('proposal_id')
      .notNull()
      .references(() => proposals.proposalId, { onDelete: 'cascade' }),
    userId: uuid('user_id').notNull(),
    name: text('name').notNull(),
    at: instant('approved_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.proposalId, t.userId] })],
)
