import type { CodeHostKind } from '@docket/api-types/connection-code-hosts'
import { integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant } from '#ground/db/watch-columns.ts'
import { connections } from '#ground/db/connections.table.ts'

/** Code hosts from which the pull requests of a connection's jobs are read, each with its budget of calls. */
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
    /** Token, encrypted with the instance secret. Null when the environment has it. */
    sealedToken: text('sealed_token'),
    /** Time of the last successful call. */
    answeredAt: instant('answered_at'),
    problem: text('problem'),
    pausedUntil: instant('paused_until'),
    /** Number of failed calls in a row. */
    failures: integer('failures').notNull().default(0),
    /** Start of the current hour of the budget, and the number of reads in it. */
    hourBegan: instant('hour_began'),
    readsInHour: integer('reads_in_hour').notNull().default(0),
    addedBy: text('added_by'),
    addedAt: instant('added_at').notNull().defaultNow(),
  },
  (t) => [uniqueIndex('code_hosts_url').on(t.connectionId, t.url)],
)
