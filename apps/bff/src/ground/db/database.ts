import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { Pool } from 'pg'
import { sql } from 'drizzle-orm'
import { nameHere } from '#ground/db/schemas.ts'

/** The database as every area sees it. Tables are imported where they are used, so no schema object is shared. */
export type Database = NodePgDatabase<Record<string, never>> & { $client: Pool }

/** A transaction. Functions that take a `Tx` also accept the database itself. */
export type Tx = Parameters<Parameters<Database['transaction']>[0]>[0] | Database

/** Waits for other transactions of this Docket that have these names, and holds the names until this one ends. */
export const takeTurn = async (tx: Tx, ...names: string[]): Promise<void> => {
  const locks = names.map((name) => sql`pg_advisory_xact_lock(hashtextextended(${nameHere(name)}, 0))`)
  await tx.execute(sql`select ${sql.join(locks, sql`, `)}`)
}
