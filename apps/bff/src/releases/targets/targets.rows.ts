import { type Target, TargetSettings } from '@docket/api-types/targets'
import { and, asc, eq, isNull } from 'drizzle-orm'
import type { Tx } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { findBefore, listDelivered, selectDeliveries, toDelivery } from './deliveries.rows.ts'
import { describePlace } from './target-settings.ts'
import { targets } from './targets.table.ts'

export type TargetRow = typeof targets.$inferSelect

export type TargetKey = { siteId: string; channelId: string; targetId: string }

export const readSettings = ({ settings }: Pick<TargetRow, 'settings'>): TargetSettings =>
  TargetSettings.parse(settings)

/** Targets of a channel, by name. */
export const selectTargets = (db: Tx, channelId: string): Promise<TargetRow[]> =>
  db
    .select()
    .from(targets)
    .where(and(eq(targets.channelId, channelId), isNull(targets.removedAt)))
    .orderBy(asc(targets.name), asc(targets.targetId))

/** Also null for a target that was removed. */
export const findTarget = async (db: Tx, targetId: string): Promise<TargetRow | null> => {
  const [row] = await db
    .select()
    .from(targets)
    .where(and(eq(targets.targetId, targetId), isNull(targets.removedAt)))
  return row ?? null
}

const noTarget = () => new AppError('not_found', 'There is no such target. Reload the page.')

/** Throws `not_found` for an unknown or removed target. */
export const getTarget = async (db: Tx, { channelId, targetId }: TargetKey): Promise<TargetRow> => {
  const row = await findTarget(db, targetId)
  if (row === null || row.channelId !== channelId) throw noTarget()
  return row
}

/** Like `getTarget`, but also locks the target until the transaction ends. */
export const lockTarget = async (tx: Tx, key: TargetKey): Promise<TargetRow> => {
  await tx.select().from(targets).where(eq(targets.targetId, key.targetId)).for('update')
  return getTarget(tx, key)
}

/** Converts a target for responses, without its secret. */
export const toTarget = async (db: Tx, row: TargetRow): Promise<Target> => {
  const [last] = await selectDeliveries(db, row.targetId, 1)
  const delivered = await listDelivered(db, row.targetId)
  const [current] = delivered
  return {
    targetId: row.targetId,
    name: row.name,
    settings: readSettings(row),
    hasSecret: row.sealedSecret !== null,
    onRelease: row.onRelease,
    last: last === undefined ? null : toDelivery(last),
    delivered:
      current === undefined
        ? null
        : { sha256: current.sha256, releaseNumber: current.releaseNumber, at: current.endedAt!.toISOString() },
    canTakeBack: findBefore(delivered)?.isStored === true,
    createdBy: row.createdBy,
    createdAt: row.createdAt.toISOString(),
  }
}

export const toAuditTarget = ({ targetId, name }: Pick<TargetRow, 'targetId' | 'name'>) => ({
  type: 'target',
  id: targetId,
  name,
})

export const toAuditPlace = (row: Pick<TargetRow, 'kind' | 'settings'>) => ({
  kind: row.kind,
  place: describePlace(readSettings(row)),
})
