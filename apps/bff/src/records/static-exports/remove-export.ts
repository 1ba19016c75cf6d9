import { sql } from 'drizzle-orm'
import type { Actor } from '#ground/identity/actor.ts'
import type { Ctx } from '#ground/ctx.ts'
import type { Database } from '#ground/db/database.ts'
import { gapWhileRemoved } from '#service/history/gap.ts'
import { countExportOutcome } from './settle-exports.ts'
import {
  countExportChange,
  isExport,
  findListed,
  lockDomain,
  recordExportEvents,
  withoutTwins,
} from './static-exports.rows.ts'
import { staticExports } from './static-exports.table.ts'

const sparedDays = 30

/** Start of the time from which on a removed export may be deleted, however short the retention. */
export const sparedUntil = ({ startedAt }: { startedAt: Date }): Date =>
  new Date(startedAt.getTime() + sparedDays * 86_400_000)

/**
 * Condition for removed exports that are old enough to delete. Spares those of the last 30 days, however short the
 * retention: their `requestId` keeps a repeated request from starting a second export.
 */
export const removable = {
  type: 'static_export',
  table: staticExports,
  keyText: sql`${staticExports.exportId}::text`,
  spared: sql`${staticExports.startedAt} > clock_timestamp() - ${sparedDays} * interval '1 day'`,
} as const

/** Removes an export from the list. Idempotent. `not_found` for an unknown id. */
export const removeExport = async (
  { db, events }: Pick<Ctx, 'db' | 'events'>,
  exportId: string,
  { at, by }: { at: Date; by: Actor },
) => {
  const known = await db.transaction(async (tx) => {
    const [row] = await tx.select().from(staticExports).where(isExport(exportId)).for('update')
    if (row === undefined || row.removedAt !== null) return row
    await events.emit(tx, 'export.removed', { exportId })
    // A read under way loses its lease and cannot write. A start under way still can.
    const set = row.state === 'starting' ? {} : { nextCheckAt: null, leaseOwner: null, leaseUntil: null }
    await tx
      .update(staticExports)
      .set({ ...set, removedAt: at })
      .where(isExport(exportId))
    await countExportChange(tx, isExport(exportId))
    await recordExportEvents(tx, exportId, [{ kind: 'removed', at, by }])
    return row
  })
  if (known === undefined) await findListed(db, exportId)
}

/** Restores a removed export. `conflict` when its job was listed again in the meantime. */
export const restoreExport = async (db: Database, exportId: string, { at, by }: { at: Date; by: Actor }) => {
  const { connectionId, domain, jobId } = staticExports
  const [known] = await db.select({ connectionId, domain, jobId }).from(staticExports).where(isExport(exportId))
  if (known === undefined) return
  await withoutTwins(db, { ...known, jobId: known.jobId ?? '' }, () =>
    db.transaction(async (tx) => {
      await lockDomain(tx, known.domain)
      const [row] = await tx.select().from(staticExports).where(isExport(exportId)).for('update')
      if (row === undefined || row.removedAt === null) return
      const gap = row.state === 'accepted' ? gapWhileRemoved(row.removedAt, at) : null
      const due = row.state === 'accepted' || row.state === 'failed' ? { nextCheckAt: at } : {}
      // Docket did not watch meanwhile, so the end cannot be timed.
      const unseen = gap === null ? {} : { unfinishedAt: null }
      await tx
        .update(staticExports)
        .set({ ...due, ...unseen, removedAt: null })
        .where(isExport(exportId))
      await countExportOutcome(tx, row)
      await recordExportEvents(tx, exportId, [...(gap === null ? [] : [gap]), { kind: 'restored', at, by }])
    }),
  )
}
