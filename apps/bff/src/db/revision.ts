import { eq, sql } from 'drizzle-orm'
import { bigint, pgTable, text } from 'drizzle-orm/pg-core'
import type { Tx } from '#db/database.ts'

/** One counter per list: it grows with every change a reader could see, so an unchanged list is answered from one row. */
export const listRevisions = pgTable('list_revisions', {
  list: text('list').primaryKey(),
  revision: bigint('revision', { mode: 'number' }).notNull(),
})

/** Names of the lists that have a revision. */
export type ListName = 'agent_jobs' | 'static_exports'

/** Counts a change of a list. Call it last in the transaction: writers of one list wait for each other here. */
export const bumpRevision = async (tx: Tx, list: ListName): Promise<number> => {
  const [row] = await tx
    .insert(listRevisions)
    .values({ list, revision: 1 })
    .onConflictDoUpdate({ target: listRevisions.list, set: { revision: sql`${listRevisions.revision} + 1` } })
    .returning({ revision: listRevisions.revision })
  return row!.revision
}

/** The list's present revision: 0 before its first change. Read it before the rows, so that it is never newer than they are. */
export const currentRevision = async (tx: Tx, list: ListName): Promise<number> => {
  const [row] = await tx
    .select({ revision: listRevisions.revision })
    .from(listRevisions)
    .where(eq(listRevisions.list, list))
  return row?.revision ?? 0
}
