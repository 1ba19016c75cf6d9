import { eq, sql } from 'drizzle-orm'
import type { Tx } from '#ground/db/database.ts'
import { progressScales } from './progress-scales.table.ts'
import type { ProgressScale, StaticExportRow } from './static-exports.state.ts'

/** Exports that must complete with exactly 1 before numbers up to 1 count as fractions. */
const minFractions = 3

/** Reads the scale that the exports of a connection proved. Null while none is proven. */
export const readProgressScale = async (tx: Tx, connectionId: string): Promise<ProgressScale | null> => {
  const [known] = await tx.select().from(progressScales).where(eq(progressScales.connectionId, connectionId))
  if (known === undefined) return null
  if (known.percent) return 'percent'
  return known.fractions >= minFractions ? 'fraction' : null
}

/** Learns from one outcome of a read. A number above 1 proves percent for good. */
export const learnProgressScale = async (
  tx: Tx,
  connectionId: string,
  before: StaticExportRow,
  after: StaticExportRow,
): Promise<void> => {
  if (after.progressIsPercent) {
    if (before.progressIsPercent) return
    const set = { percent: true }
    await tx
      .insert(progressScales)
      .values({ connectionId, ...set })
      .onConflictDoUpdate({ target: progressScales.connectionId, set, setWhere: eq(progressScales.percent, false) })
  } else if (after.progressEvidence === 'fraction' && before.progressEvidence !== 'fraction') {
    const set = { fractions: sql`${progressScales.fractions} + 1` }
    await tx
      .insert(progressScales)
      .values({ connectionId, fractions: 1 })
      .onConflictDoUpdate({ target: progressScales.connectionId, set })
  }
}
