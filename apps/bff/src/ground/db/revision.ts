import { eq, sql, type SQL } from 'drizzle-orm'
import { bigint, jsonb, pgTable, text, uuid, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import type { Database, Tx } from '#ground/db/database.ts'

/** The current tag and counts of each list. Every visible change changes the row, so one read shows whether a list is unchanged. */
export const listRevisions = pgTable('list_revisions', {
  list: text('list').primaryKey(),
  revision: bigint('revision', { mode: 'number' }).notNull(),
  /** Identifies the current content: no other content has this tag, not even in another database or after a backup was restored. */
  tag: uuid('tag').notNull().defaultRandom(),
  /** Number of listed records per group. Triggers update it in the transaction that changes a record. */
  counts: jsonb('counts').$type<Record<string, number>>().notNull().default({}),
  /** The same numbers per connection, with the key `<connectionId>/<group>`. */
  connectionCounts: jsonb('connection_counts').$type<Record<string, number>>().notNull().default({}),
})

export type ListName = 'agent_jobs' | 'static_exports'

/** Contents with a tag: the lists, the rights of people (`accounts`) and the connections; only triggers change the tags of the last two. */
export type Tagged = ListName | 'accounts' | 'connections'

export type CountedList = { name: ListName; table: PgTable & Record<'revision', PgColumn> }

/**
 * Gives a list its next revision and a new tag. Call it last in the transaction, because writers of one list wait for
 * each other here.
 */
export const bumpRevision = async (tx: Tx, list: ListName): Promise<number> => {
  const next = { revision: sql`${listRevisions.revision} + 1`, tag: sql`gen_random_uuid()` }
  const [row] = await tx
    .insert(listRevisions)
    .values({ list, revision: 1 })
    .onConflictDoUpdate({ target: listRevisions.list, set: next })
    .returning({ revision: listRevisions.revision })
  return row!.revision
}

/**
 * Counts a change of a list and sets the new revision on the records within `which`. Call it last in the transaction.
 */
export const countChange = async (tx: Tx, { name, table }: CountedList, which: SQL | undefined): Promise<void> => {
  const revision = await bumpRevision(tx, name)
  await tx
    .update(table as PgTable)
    .set({ revision } as object)
    .where(which)
}

/** Counts per group of a list; omits empty groups. Reads one row. */
export const readGroupCounts = async (tx: Tx, list: ListName): Promise<Record<string, number>> => {
  const [row] = await tx
    .select({ counts: listRevisions.counts })
    .from(listRevisions)
    .where(eq(listRevisions.list, list))
  return row?.counts ?? {}
}

/** Counts the listed records of some connections in each group. Reads one row. */
export const readConnectionGroupCounts = async (
  tx: Tx,
  list: ListName,
  connectionIds: readonly string[],
): Promise<Record<string, number>> => {
  const [row] = await tx
    .select({ counts: listRevisions.connectionCounts })
    .from(listRevisions)
    .where(eq(listRevisions.list, list))
  const counts: Record<string, number> = {}
  for (const [key, count] of Object.entries(row?.counts ?? {})) {
    const [connectionId = '', group = ''] = key.split('/')
    if (connectionIds.includes(connectionId)) counts[group] = (counts[group] ?? 0) + count
  }
  return counts
}

const tagSql: Readonly<Record<Tagged, string>> = {
  accounts: `select tag from list_revisions where list = 'accounts'`,
  connections: `select tag from list_revisions where list = 'connections'`,
  agent_jobs: `select tag from list_revisions where list = 'agent_jobs'`,
  static_exports: `select tag from list_revisions where list = 'static_exports'`,
}

/** The tag of the list's present content; `0` before its first change. Read it before the rows, so that it is never newer than they are. */
export const readListTag = async (db: Database, list: Tagged): Promise<string> => {
  // The most frequent query of Docket. Without parameters it is one message to the server instead of five.
  const { rows } = await db.$client.query<{ tag: string }>(tagSql[list])
  return rows[0]?.tag ?? '0'
}
