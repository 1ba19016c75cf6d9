import { sql } from 'drizzle-orm'
import type { Tx } from '#ground/db/database.ts'
import { nameHere } from '#ground/db/schemas.ts'

/** Waits for other transactions of this Docket that have these names, and holds the names until this one ends. */
export const takeTurn = async (tx: Tx, ...names: string[]): Promise<void> => {
  const locks = names.map((name) => sql`pg_advisory_xact_lock(hashtextextended(${nameHere(name)}, 0))`)
  await tx.execute(sql`select ${sql.join(locks, sql`, `)}`)
}
