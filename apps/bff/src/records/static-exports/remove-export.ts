import { sql } from 'drizzle-orm'
import type { Actor } from '#ground/identity/identity.ts'
import type { ExportsCtx } from '#records/static-exports/exports-ctx.ts'
import { purgeRemovedRecords } from '#service/history/retention.ts'
import { bumpRevision } from '#ground/db/revision.ts'
import { getExport } from './read-exports.ts'
import { sparedDays } from './static-exports.state.ts'
import { findGapWhileRemoved } from '#service/history/gap.ts'
import { countExportOutcome } from './settle-exports.ts'
import {
  countExportChange,
  isExport,
  findKnownExport,
  findListedExport,
  lockDomain,
  recordExportEvents,
  writeUniqueJob,
} from './static-exports.rows.ts'
import { staticExports } from './static-exports.table.ts'

const removable = {
  type: 'static_export',
  table: staticExports,
  keyText: sql`${staticExports.exportId}::text`,
  spared: sql`${staticExports.startedAt} > clock_timestamp() - ${sparedDays} * interval '1 day'`,
} as const

/** Also deletes their events. Returns the number of deleted exports. */
export const purgeRemovedExports = async ({ db, now, retentionDays }: ExportsCtx): Promise<number> => {
  const purged = await purgeRemovedRecords(db, removable, { now: now(), days: retentionDays.staticExports })
  if (purged > 0) await bumpRevision(db, 'static_exports')
  return purged
}

/** Idempotent. Throws `not_found` for an unknown id. */
export const removeExport = async ({ db, now, events }: ExportsCtx, exportId: string, by: Actor): Promise<void> => {
  const at = new Date(now())
  const known = await db.transaction(async (tx) => {
    const [row] = await tx.select().from(staticExports).where(isExport(exportId)).for('update')
    if (row === undefined || row.removedAt !== null) return row
    await events.emit(tx, 'export.removed', { exportId })
    // A read in progress loses its lease and cannot write. A start in progress still can.
    const set = row.state === 'starting' ? {} : { nextCheckAt: null, leaseOwner: null, leaseUntil: null }
    await tx
      .update(staticExports)
      .set({ ...set, removedAt: at })
      .where(isExport(exportId))
    await countExportChange(tx, isExport(exportId))
    await recordExportEvents(tx, exportId, [{ kind: 'removed', at, by }])
    return row
  })
  if (known === undefined) await findListedExport(db, exportId)
}

/** Throws `conflict` when the job was listed again in the meantime, and `not_found` for an unknown id. */
export const restoreExport = async (ctx: ExportsCtx, exportId: string, by: Actor) => {
  const { db, now, connections } = ctx
  const at = new Date(now())
  const known = await findKnownExport(db, exportId)
  await writeUniqueJob(db, { ...known, jobId: known.jobId ?? '' }, () =>
    db.transaction(async (tx) => {
      await lockDomain(tx, known.domain)
      const [row] = await tx.select().from(staticExports).where(isExport(exportId)).for('update')
      if (row === undefined || row.removedAt === null) return
      const gap = row.state === 'accepted' ? findGapWhileRemoved(row.removedAt, at) : null
      const due = row.state === 'accepted' || row.state === 'failed' ? { nextCheckAt: at } : {}
      // Docket did not watch the export while it was removed, so its end cannot be timed.
      const unseen = gap === null ? {} : { unfinishedAt: null }
      await tx
        .update(staticExports)
        .set({ ...due, ...unseen, removedAt: null })
        .where(isExport(exportId))
      await countExportOutcome(tx, row)
      await recordExportEvents(tx, exportId, [...(gap === null ? [] : [gap]), { kind: 'restored', at, by }])
    }),
  )
  connections.find(known.connectionId)?.exports.watcher.wake()
  return getExport(ctx, exportId)
}
