import { rm, stat } from 'node:fs/promises'
import { and, eq, sql } from 'drizzle-orm'
import { isArtifact, isSurplus, lockArtifact } from '#bundles/artifacts/artifacts.rows.ts'
import { artifacts } from '#bundles/artifacts/artifacts.table.ts'
import type { StoringCtx, BundlesCtx } from '#bundles/bundles-ctx.ts'
import { lockSite } from '#bundles/check/finding-counter.ts'
import { emptyArtifact, releaseBundle, intendStoring } from '#bundles/storing/bundle-rows.ts'
import type { Tx } from '#ground/db/database.ts'
import { daysAgo } from '#ground/db/delete-old-rows.ts'
import { reasonSentences } from '#bundles/artifacts/artifacts.state.ts'
import type { Actor } from '#ground/identity/identity.ts'
import { removeBundles } from '#bundles/shared-store/remove-bundles.ts'
import { isResting, isRunning, readStoreState } from '#bundles/shared-store/shared-store.ts'
import { takeStock } from '#bundles/shared-store/stock.ts'
import type { AuditAction } from '@docket/api-types/audit'
import { releaseFromRules, refuseHeldBundle } from '#bundles/artifacts/held-bundles.ts'
import { recordAudit } from '#ground/audit/audit.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { toAuditTarget } from '#service/history/history.ts'

export type ArtifactRetention = { perSite: number; retentionDays: number }

export const isExpired = ({ perSite, retentionDays }: ArtifactRetention, now: number) =>
  and(
    eq(artifacts.state, 'stored'),
    eq(artifacts.kept, false),
    sql`${artifacts.storedAt} < ${daysAgo(now, retentionDays)}`,
    isSurplus(perSite),
  )

/** Removes the copy of an artifact, and notes that in the history. False when there is none. `by` is null for retention. */
export const dropCopy = async (
  tx: Tx,
  { events, exports, counter }: StoringCtx,
  exportId: string,
  { at, by }: { at: Date; by: Actor | null },
): Promise<boolean> => {
  const [known] = await tx.select({ siteId: artifacts.siteId }).from(artifacts).where(isArtifact(exportId))
  if (known === undefined) return false
  await lockSite(tx, known.siteId)
  const row = await lockArtifact(tx, exportId)
  if (row?.state !== 'stored' || row.sha256 === null) return false
  const reason = by === null ? ('retention' as const) : ('deleted' as const)
  const set = { ...emptyArtifact, state: 'not_stored', reason, comparedWith: null } as const
  await tx.update(artifacts).set(set).where(isArtifact(exportId))
  await releaseBundle(tx, row.sha256, at)
  await events.emit(tx, 'bundle.deleted', { exportId })
  await exports.countChange(tx, [exportId, ...(await counter.write(tx, row.siteId))])
  const to = by === null ? reasonSentences.retention : null
  await exports.recordEvents(tx, exportId, [{ kind: 'bundle_deleted', at, to, ...(by && { by }) }])
  return true
}

const batch = 100

const dropExpired = async (ctx: StoringCtx): Promise<void> => {
  const { db, now, settings } = ctx
  for (;;) {
    const expired = await db
      .select({ exportId: artifacts.exportId, siteId: artifacts.siteId })
      .from(artifacts)
      .where(isExpired(settings, now()))
      .limit(batch)
    for (const { exportId, siteId } of expired)
      await db.transaction(async (tx) => {
        await lockSite(tx, siteId)
        // Somebody may have marked the copy as kept meanwhile.
        const [still] = await tx
          .select()
          .from(artifacts)
          .where(and(isArtifact(exportId), isExpired(settings, now())))
        if (still !== undefined) await dropCopy(tx, ctx, exportId, { at: new Date(now()), by: null })
      })
    if (expired.length < batch) return
  }
}

/** Removes artifacts whose exports were deleted permanently, by any process. */
const dropForgotten = async ({ db, now }: StoringCtx): Promise<void> => {
  const forgotten = sql`not exists (select from static_exports e where e.export_id = ${artifacts.exportId})`
  const rows = await db.select({ exportId: artifacts.exportId }).from(artifacts).where(forgotten).limit(10_000)
  for (const { exportId } of rows)
    await db.transaction(async (tx) => {
      const [gone] = await tx
        .delete(artifacts)
        .where(and(isArtifact(exportId), forgotten))
        .returning()
      if (gone !== undefined && gone.sha256 !== null) await releaseBundle(tx, gone.sha256, new Date(now()))
    })
}

const applyRetention = async (ctx: StoringCtx): Promise<void> => {
  await dropExpired(ctx)
  await dropForgotten(ctx)
}

/** Age beyond which an unfinished write to the store counts as abandoned. Milliseconds. */
const deadAfterMs = 24 * 3_600_000

/** Time for which an upload without a row is kept. Milliseconds. */
const unknownMs = 14 * 24 * 3_600_000
const uuid = /^[0-9a-f-]{36}$/

const removeStaging = async ({ db, staging }: BundlesCtx) => {
  for (const processId of (await staging.listOthers()).filter((name) => uuid.test(name))) {
    const { rows } = await db.execute<{ runs: boolean }>(sql`select ${isRunning(sql`${processId}::uuid`)} as runs`)
    if (rows[0]?.runs === false) await staging.remove(processId)
  }
  for (const exportId of (await staging.listUploads()).filter((name) => uuid.test(name))) {
    const file = staging.toUpload(exportId)
    const [row] = await db.select({ state: artifacts.state }).from(artifacts).where(isArtifact(exportId))
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Infinity }))
    // After a restore, the database may need bundles that it does not know.
    if (row === undefined ? mtimeMs < Date.now() - unknownMs : row.state !== 'storing') await rm(file, { force: true })
  }
}

/** Removes bundles without a reference, orphans, and the staging folders of dead processes. */
export const removeUnused = async (ctx: BundlesCtx): Promise<void> => {
  const { db, storage, view, requestAdoption, log } = ctx
  await removeStaging(ctx)
  const { name, problem } = await view()
  // Does nothing in a store that is not shared, because objects of other processes would look like orphans.
  if (name === null || problem === 'not_shared') return
  const state = await readStoreState(db, name)
  const waiting = await takeStock(ctx, name, state)
  if (waiting.length > 0 || state === 'adopting') await requestAdoption()
  if (state === 'unknown' || state === 'adopting') return
  const removed = await removeBundles(ctx, name, state)
  await storage.removeUnfinished('sha256/', new Date(Date.now() - deadAfterMs))
  if (removed > 0) log.info({ bundles: removed }, 'removed stored bundles that nobody needs')
}

/** Applies the retention first, except for some time after a restore. */
export const cleanUpStore = async (ctx: BundlesCtx): Promise<void> => {
  if (!(await isResting(ctx.db))) await applyRetention(ctx)
  await removeUnused(ctx)
}

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
