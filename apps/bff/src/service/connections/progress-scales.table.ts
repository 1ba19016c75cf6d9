import type { ProgressScale } from '@docket/api-types/connections'
import { eq } from 'drizzle-orm'
import { boolean, integer, pgTable, uuid } from 'drizzle-orm/pg-core'
import type { Tx } from '#ground/db/database.ts'
import { connections } from '#ground/db/connections.table.ts'

/** All replicas share the scale that the exports of a connection proved. */
export const progressScales = pgTable('progress_scales', {
  connectionId: uuid('connection_id')
    .primaryKey()
    .references(() => connections.connectionId, { onDelete: 'cascade' }),
  /** Exports that completed as only fractions do. */
  fractions: integer('fractions').notNull().default(0),
  /** True when a number above 1 was received. It proves percent until an admin says otherwise. */
  percent: boolean('percent').notNull().default(false),
})

/** Exports that must complete as only fractions do before numbers up to 1 count as fractions. */
const minFractions = 3

/** Null while no scale is proven. */
export const readLearntScale = async (tx: Tx, connectionId: string): Promise<ProgressScale | null> => {
  const [known] = await tx.select().from(progressScales).where(eq(progressScales.connectionId, connectionId))
  if (known === undefined) return null
  if (known.percent) return 'percent'
  return known.fractions >= minFractions ? 'fraction' : null
}
