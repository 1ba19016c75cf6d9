import { rm, stat } from 'node:fs/promises'
import { and, eq, sql } from 'drizzle-orm'
import { isArtifact, isSurplus, lockArtifact } from '#bundles/artifacts/artifacts.rows.ts'
import { artifacts } from '#bundles/artifacts/artifacts.table.ts'
import type { StoringCtx, BundlesCtx } from '#bundles/bundles-ctx.ts'
import { lockSite } from '#bundles/check/finding-counter.ts'
import { emptyArtifact, releaseBundle } from '#bundles/storing/bundle-rows.ts'
import type { Tx } from '#ground/db/database.ts'
import { daysAgo } from '#ground/db/delete-old-rows.ts'
import { reasonSentences } from '#bundles/artifacts/artifacts.state.ts'
import type { Actor } from '#ground/identity/identity.ts'
import { removeBundles } from '#bundles/shared-store/remove-bundles.ts'
import { isResting, isRunning, readStoreState } from '#bundles/shared-store/shared-store.ts'
import { takeStock } from '#bundles/shared-store/stock.ts'

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
