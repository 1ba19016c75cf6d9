import type { ObjectStorage } from '@docket/artifact-store/object-storage'
import { rm, stat } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import { isArtifact } from '#bundles/artifacts/artifacts.rows.ts'
import { artifacts } from '#bundles/artifacts/artifacts.table.ts'
import { isResting, readStoreState } from '#bundles/store/known-stores.ts'
import type { StoreStock } from '#bundles/store/store-stock.ts'
import { isRunning, type SharedStore } from '#bundles/store/shared-store.ts'
import type { StagingFolders } from '#bundles/storing/staging.ts'
import type { Database } from '#ground/db/database.ts'
import type { Log } from '#ground/log/log.ts'
import type { BundleRemover } from '#bundles/store/remove-bundles.ts'

/** Uploads to the store that began before this are dead. Milliseconds. */
const deadAfterMs = 24 * 3_600_000

/** Time for which an upload without a row stays. Milliseconds. */
const unknownMs = 14 * 24 * 3_600_000
const uuid = /^[0-9a-f-]{36}$/

/**
 * Removes what nobody needs: copies by retention, bundles without a reference, and what dead processes left. What the database does not know
 * may be needed all the same, so it waits.
 */
export const artifactCleanUp = (deps: {
  db: Database
  storage: ObjectStorage
  shared: Pick<SharedStore, 'view'>
  staging: StagingFolders
  remover: BundleRemover
  stock: Pick<StoreStock, 'take'>
  /** Asks for the adoption of bundles. */
  requestAdoption: () => Promise<void>
  retention: { run: () => Promise<number> }
  log: Log
}) => {
  const { db, storage, shared, staging, remover, stock, requestAdoption, retention, log } = deps

  const removeStaging = async () => {
    for (const processId of (await staging.listOthers()).filter((name) => uuid.test(name))) {
      const { rows } = await db.execute<{ runs: boolean }>(sql`select ${isRunning(sql`${processId}::uuid`)} as runs`)
      if (rows[0]?.runs === false) await staging.remove(processId)
    }
    for (const exportId of (await staging.listUploads()).filter((name) => uuid.test(name))) {
      const file = staging.toUpload(exportId)
      const [row] = await db.select({ state: artifacts.state }).from(artifacts).where(isArtifact(exportId))
      const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Infinity }))
      if (row === undefined ? mtimeMs < Date.now() - unknownMs : row.state !== 'storing')
        await rm(file, { force: true })
    }
  }

  const sweep = async (): Promise<void> => {
    await removeStaging()
    const { name, problem } = await shared.view()
    // In a store that is not shared, objects of other processes look like orphans.
    if (name === null || problem === 'not_shared') return
    const state = await readStoreState(db, name)
    const waiting = await stock.take(name, state)
    if (waiting.length > 0 || state === 'adopting') await requestAdoption()
    if (state === 'unknown' || state === 'adopting') return
    const removed = await remover.sweep(name, state)
    await storage.removeUnfinished('sha256/', new Date(Date.now() - deadAfterMs))
    if (removed > 0) log.info({ bundles: removed }, 'removed stored bundles that nobody needs')
  }

  return {
    /** Removes bundles without a reference, orphans, and staging folders. */
    sweep,
    /** Applies the retention first, but for some time after a restore. */
    run: async () => {
      if (!(await isResting(db))) await retention.run()
      await sweep()
    },
  }
}
