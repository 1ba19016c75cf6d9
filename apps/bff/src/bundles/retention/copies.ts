import type { AuditAction } from '@docket/api-types/audit'
import { isArtifact, lockArtifact } from '#bundles/artifacts/artifacts.rows.ts'
import { reasonSentences } from '#bundles/artifacts/artifacts.state.ts'
import { artifacts } from '#bundles/artifacts/artifacts.table.ts'
import { releaseFromRules, refuseHeldBundle } from '#bundles/artifacts/held-bundles.ts'
import type { BundlesCtx } from '#bundles/bundles-ctx.ts'
import { intendStoring } from '#bundles/storing/bundle-rows.ts'
import { recordAudit } from '#ground/audit/audit.ts'
import type { Tx } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { Actor } from '#ground/identity/identity.ts'
import { toAuditTarget } from '#service/history/history.ts'
import { dropCopy } from './retention.ts'

const notStoredError = (exportId: string) =>
  new AppError('conflict', 'Docket hasn’t saved this bundle. Save it first.', { exportId })

const auditCopy = async (tx: Tx, exportId: string, entry: { action: AuditAction; by: Actor; now: number }) => {
  const { action, by, now } = entry
  const target = await toAuditTarget(tx, { type: 'static_export', exportId })
  await recordAudit(tx, by, { action, at: new Date(now), target })
}

export const intendCopy = async (
  { exports, view, wake, now }: BundlesCtx,
  tx: Tx,
  { exportId }: { exportId: string },
): Promise<void> => {
  const completed = await exports.findKnown(tx, exportId)
  // The bundle of an upload is already here.
  if (completed.jobId === null) return
  const { problem } = await view()
  // Exports that complete while storing is off get no row, so nothing is stored for them when it is switched on.
  if (problem === 'off') return
  await intendStoring(tx, completed, { at: new Date(now()), reason: problem })
  wake()
}

/** A repeated request changes nothing. */
export const storeCopy = async (
  { db, exports, view, wake, now }: BundlesCtx,
  exportId: string,
  by: Actor,
): Promise<void> => {
  const known = await exports.find(exportId)
  const { problem } = await view()
  const refuse = (message: string) => new AppError('conflict', message, { exportId })
  if (!known.isCompleted) throw refuse('Only a completed export has a bundle.')
  if (known.jobId === null) throw refuse('This bundle was uploaded, so no service has it. Upload it again.')
  if (problem !== null) throw refuse(reasonSentences[problem])
  await db.transaction(async (tx) => {
    if (!(await intendStoring(tx, known, { at: new Date(now()) }))) return
    await exports.countChange(tx, [exportId])
    await auditCopy(tx, exportId, { action: 'bundle.store_requested', by, now: now() })
  })
  wake()
}

/** Deletes the copy, even of a removed export. Throws `conflict` when there is none. */
export const deleteCopy = async (ctx: BundlesCtx, exportId: string, by: Actor): Promise<void> => {
  const { db, exports, now } = ctx
  const isDropped = await db.transaction(async (tx) => {
    const [known] = await tx.select({ sha256: artifacts.sha256 }).from(artifacts).where(isArtifact(exportId))
    const sha256 = known?.sha256 ?? null
    if (sha256 !== null) await releaseFromRules(tx, sha256)
    const dropped = await dropCopy(tx, ctx, exportId, { at: new Date(now()), by })
    if (dropped && sha256 !== null) await refuseHeldBundle(tx, sha256)
    return dropped
  })
  if (isDropped) return
  await exports.find(exportId)
  throw notStoredError(exportId)
}

/** A repeated request changes nothing. Throws `conflict` when there is no copy. */
export const keepCopy = async (
  { db, exports, now }: BundlesCtx,
  exportId: string,
  { kept, by }: { kept: boolean; by: Actor },
): Promise<void> => {
  await exports.find(exportId)
  await db.transaction(async (tx) => {
    const row = await lockArtifact(tx, exportId)
    if (row?.state !== 'stored') throw notStoredError(exportId)
    if (row.kept === kept) return
    await tx.update(artifacts).set({ kept }).where(isArtifact(exportId))
    await exports.countChange(tx, [exportId])
    await auditCopy(tx, exportId, { action: kept ? 'bundle.kept' : 'bundle.released', by, now: now() })
  })
}
