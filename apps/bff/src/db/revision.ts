import { eq, sql, type SQL } from 'drizzle-orm'
import { bigint, jsonb, pgTable, text, uuid, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import type { Database, Tx } from '#db/database.ts'

/** One row per list. It changes with every change a reader could see, so an unchanged list is answered from one row. */
export const listRevisions = pgTable('list_revisions', {
  list: text('list').primaryKey(),
  /** Counts the changes. */
  revision: bigint('revision', { mode: 'number' }).notNull(),
  /** Names the present content: no other content has it, not even in another database or after a backup was restored. */
  tag: uuid('tag').notNull().defaultRandom(),
  /** How many listed records each group has. Kept by triggers, in the transaction that changes a record. */
  counts: jsonb('counts').$type<Record<string, number>>().notNull().default({}),
})

/** Names of the lists that have a revision. */
export type ListName = 'agent_jobs' | 'static_exports'

/** What has a tag: the lists, and who may do what (`accounts`, whose tag is changed by triggers only). */
export type Tagged = ListName | 'accounts'

/** A list, and its table with `watchColumns`. */
export type CountedList = { name: ListName; table: PgTable & Record<'revision', PgColumn> }

/** Gives a list its next revision and a new tag. Call it last in the transaction: writers of one list wait for each other here. */
export const bumpRevision = async (tx: Tx, list: ListName): Promise<number> => {
  const next = { revision: sql`${listRevisions.revision} + 1`, tag: sql`gen_random_uuid()` }
  const [row] = await tx
    .insert(listRevisions)
    .values({ list, revision: 1 })
    .onConflictDoUpdate({ target: listRevisions.list, set: next })
    .returning({ revision: listRevisions.revision })
  return row!.revision
}

/** Counts a change of a list and stamps the records that `which` names with the new revision. Call it last in the transaction. */
export const countChange = async (tx: Tx, { name, table }: CountedList, which: SQL | undefined): Promise<void> => {
  const revision = await bumpRevision(tx, name)
  await tx
    .update(table as PgTable)
    .set({ revision } as object)
    .where(which)
}

/** How many listed records each group of a list has; a group without any is missing. Reads one row. */
export const groupCounts = async (tx: Tx, list: ListName): Promise<Record<string, number>> => {
  const [row] = await tx
    .select({ counts: listRevisions.counts })
    .from(listRevisions)
    .where(eq(listRevisions.list, list))
  return row?.counts ?? {}
}

const tagSql: Readonly<Record<Tagged, string>> = {
  accounts: `select tag from list_revisions where list = 'accounts'`,
  agent_jobs: `select tag from list_revisions where list = 'agent_jobs'`,
  static_exports: `select tag from list_revisions where list = 'static_exports'`,
}

/** The tag of the list's present content; `0` before its first change. Read it before the rows, so that it is never newer than they are. */
export const currentTag = async (db: Database, list: Tagged): Promise<string> => {
  // Most queries that Docket makes are this one: without values it is one message to the server, and with them five.
  const { rows } = await db.$client.query<{ tag: string }>(tagSql[list])
  return rows[0]?.tag ?? '0'
}
