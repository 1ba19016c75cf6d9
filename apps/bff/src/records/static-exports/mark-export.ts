import { recordMarks } from '#records/mark-record.ts'
import type { ExportsCtx } from '#records/static-exports/exports-ctx.ts'
import { type Treatment, treatStatus } from '#records/treat-status.ts'
import type { Actor } from '#ground/identity/actor.ts'
import { getExport } from './read-exports.ts'
import { wasExportedAgain } from './settle-exports.ts'
import {
  countExportChange,
  findKnownExport,
  findListedExport,
  isExport,
  lockDomain,
  recordExportEvents,
} from './static-exports.rows.ts'
import { isUnrecognised } from './static-exports.state.ts'
import { staticExports } from './static-exports.table.ts'

const marks = recordMarks({
  table: staticExports,
  isRecord: isExport,
  countChange: (tx, exportId: string) => countExportChange(tx, isExport(exportId)),
  recordEvents: recordExportEvents,
})

/** Idempotent. */
export const dismissExport = async (ctx: ExportsCtx, exportId: string, by: Actor) => {
  await marks.dismiss(ctx, exportId, by)
  return getExport(ctx, exportId)
}

/** Changes nothing when a later success settled the export. */
export const undoDismissal = async (ctx: ExportsCtx, exportId: string, by: Actor) => {
  const { db, now } = ctx
  const { domain } = await findKnownExport(db, exportId)
  await db.transaction(async (tx) => {
    await lockDomain(tx, domain)
    const [row] = await tx.select().from(staticExports).where(isExport(exportId))
    if (row !== undefined && !(await wasExportedAgain(tx, row)))
      await marks.undoDismissal(tx, exportId, { at: new Date(now()), by })
  })
  return getExport(ctx, exportId)
}

export const noteExport = async (ctx: ExportsCtx, exportId: string, note: { note: string; by: Actor }) => {
  await marks.note(ctx, exportId, note)
  return getExport(ctx, exportId)
}

/** Throws as `treatStatus` does. */
export const treatExportStatus = async (ctx: ExportsCtx, exportId: string, treatment: Treatment) => {
  const row = await findListedExport(ctx.db, exportId)
  const { readNow } = ctx.connections.open(row.connectionId).exports
  await treatStatus(
    ctx,
    { ...row, ...treatment, isOpen: isUnrecognised(row) },
    { recordEvents: (tx, said) => recordExportEvents(tx, exportId, said), read: () => readNow({ exportId }, null) },
  )
  return getExport(ctx, exportId)
}
