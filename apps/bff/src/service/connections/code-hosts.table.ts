import type { CodeHostKind } from '@docket/api-types/connection-code-hosts'
import { integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant } from '#ground/db/watch-columns.ts'
import { connections } from '#ground/db/connections.table.ts'

/** Code hosts whose pull requests are read for the jobs of a connection, and the budget of calls of each. */
export const codeHosts = pgTable(
  'code_hosts',
  {
    codeHostId: uuid('code_host_id').primaryKey().defaultRandom(),
    connectionId: uuid('connection_id')
      .notNull()
      .references(() => connections.connectionId, { onDelete: 'cascade' }),
    kind: text('kind').$type<CodeHostKind>().notNull(),
    /** Origin and path, without a slash at the end. */
    url: text('url').notNull(),
    /** Token, encrypted with the instance secret. Null where the environment has it. */
    sealedToken: text('sealed_token'),
    /** Last call that it answered well. */
    answeredAt: instant('answered_at'),
    problem: text('problem'),
    pausedUntil: instant('paused_until'),
    /** Failed calls in a row. */
    failures: integer('failures').notNull().default(0),
    /** Start of the hour of the budget, and the reads in it. */
    hourBegan: instant('hour_began'),
    readsInHour: integer('reads_in_hour').notNull().default(0),
    addedBy: text('added_by'),
    addedAt: instant('added_at').notNull().defaultNow(),
  },
  (t) => [uniqueIndex('code_hosts_url').on(t.connectionId, t.url)],
)
