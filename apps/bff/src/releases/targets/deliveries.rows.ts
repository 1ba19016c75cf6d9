import type { Delivery } from '@docket/api-types/targets'
import { and, desc, eq, inArray, lt, sql, type SQL } from 'drizzle-orm'
import type { Tx } from '#ground/db/database.ts'
import { releases } from '#ground/db/sites.table.ts'
import { deliveries } from './targets.table.ts'

export type DeliveryRow = typeof deliveries.$inferSelect

/** A delivery with the number of its release. `isStored`: its bundle is still stored. */
export type KnownDelivery = DeliveryRow & { releaseNumber: number | null; isStored: boolean }

/** Number of deliveries that Docket keeps for each target. */
const maxRemembered = 200

// Reads a table of another area, because a delivery outlives its bundle.
const isStored = sql<boolean>`exists (select from stored_bundles b where b.sha256 = deliveries.sha256 and b.state = 'stored')`

const readDeliveries = async (
  db: Tx,
  targetId: string,
  which: SQL | undefined,
  limit: number,
): Promise<KnownDelivery[]> => {
  const rows = await db
    .select({ row: deliveries, releaseNumber: releases.number, isStored })
    .from(deliveries)
    .leftJoin(releases, eq(deliveries.releaseId, releases.releaseId))
    .where(and(eq(deliveries.targetId, targetId), which))
    .orderBy(desc(deliveries.askedAt), desc(deliveries.deliveryId))
    .limit(limit)
  return rows.map(({ row, ...known }) => ({ ...row, ...known }))
}

/** The newest deliveries of a target, the newest first. */
export const selectDeliveries = (db: Tx, targetId: string, limit: number): Promise<KnownDelivery[]> =>
  readDeliveries(db, targetId, undefined, limit)

/** Bundles that successful deliveries left at a target, the newest first. */
export const listDelivered = (db: Tx, targetId: string): Promise<KnownDelivery[]> =>
  readDeliveries(
    db,
    targetId,
    and(eq(deliveries.state, 'done'), inArray(deliveries.kind, ['delivery', 'take_back'])),
    maxRemembered,
  )

/** Finds the bundle that a target had before its current one. After a rollback, the original position of the restored bundle counts. */
export const findBefore = <T extends Pick<DeliveryRow, 'kind' | 'sha256'>>(delivered: readonly T[]): T | undefined => {
  let at = 0
  for (;;) {
    const shown = delivered[at]
    const origin = delivered.findIndex((one, index) => index > at && one.sha256 === shown?.sha256)
    if (shown?.kind !== 'take_back' || origin === -1)
      return delivered.find((one, index) => index > at && one.sha256 !== shown?.sha256)
    at = origin
  }
}

export const toDelivery = ({ phase, askedAt, startedAt, endedAt, ...known }: KnownDelivery): Delivery => ({
  ...known,
  phase: phase as Delivery['phase'],
  askedAt: askedAt.toISOString(),
  startedAt: startedAt?.toISOString() ?? null,
  // While the delivery waits, this is the end of its last attempt.
  endedAt: known.state === 'waiting' ? null : (endedAt?.toISOString() ?? null),
})

/** Requests a delivery to a locked target. It replaces waiting deliveries; a verification replaces only waiting verifications. */
export const insertDelivery = async (
  tx: Tx,
  asked: Pick<DeliveryRow, 'targetId' | 'releaseId' | 'sha256' | 'kind' | 'askedBy' | 'askedAt'>,
): Promise<DeliveryRow> => {
  const { targetId, kind, askedAt } = asked
  const ofTarget = eq(deliveries.targetId, targetId)
  await tx
    .update(deliveries)
    .set({ state: 'replaced', endedAt: askedAt, phase: null, done: null, total: null })
    .where(
      and(
        ofTarget,
        eq(deliveries.state, 'waiting'),
        kind === 'verification' ? eq(deliveries.kind, 'verification') : undefined,
      ),
    )
  const oldest = tx
    .select({ at: deliveries.askedAt })
    .from(deliveries)
    .where(ofTarget)
    .orderBy(desc(deliveries.askedAt))
    .offset(maxRemembered)
    .limit(1)
  await tx.delete(deliveries).where(and(ofTarget, lt(deliveries.askedAt, sql`(${oldest})`)))
  const [row] = await tx
    .insert(deliveries)
    .values({ ...asked, state: 'waiting' })
    .returning()
  return row!
}
