import type { CodeHostKind } from '@docket/api-types/connection-code-hosts'
import { integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant } from '#ground/db/watch-columns.ts'
import { connections } from '#ground/db/connections.table.ts'

/** Each code host has a budget of calls. */
export const codeHosts = pgTable(
  'code_hosts',
  {
    codeHostId: uuid('code_host_id').primaryKey().defaultRandom(),
    connectionId: uuid('connection_id')
      .notNull()
      .references(() => connections.connectionId, { onDelete: 'cascade' }),
    kind: text('kind').$type<CodeHostKind>().notNull(),
    /** Origin and path, without a trailing slash. */
    url: text('url').notNull(),
    /** Encrypted with the instance secret. Null when the environment has the token. */
    sealedToken: text('sealed_token'),
    answeredAt: instant('answered_at'),
    problem: text('problem'),
    pausedUntil: instant('paused_until'),
    /** Counts failed calls in a row. */
    failures: integer('failures').notNull().default(0),
    /** `readsInHour` counts the reads since then. */
    hourBegan: instant('hour_began'),
    readsInHour: integer('reads_in_hour').notNull().default(0),
    addedBy: text('added_by'),
    addedAt: instant('added_at').notNull().defaultNow(),
  },
  (t) => [uniqueIndex('code_hosts_url').on(t.connectionId, t.url)],
)
