import { and, eq, not, sql } from 'drizzle-orm'
import { artifacts, storedBundles } from '#bundles/artifacts/artifacts.table.ts'
import type { Tx } from '#ground/db/database.ts'
import { isUnused } from './orphans.ts'

const isMissing = and(eq(artifacts.state, 'not_stored'), eq(artifacts.reason, 'not_restored'))

/** Notes that the store lacks a stored bundle. Artifacts and releases go on referring to it. Returns the exports. */
export const loseBundle = async (tx: Tx, sha256: string): Promise<string[]> => {
  const lost = await tx
    .update(artifacts)
    .set({ state: 'not_stored', reason: 'not_restored', detail: null })
    .where(and(eq(artifacts.sha256, sha256), eq(artifacts.state, 'stored')))
    .returning({ exportId: artifacts.exportId })
  const isStored = and(eq(storedBundles.sha256, sha256), eq(storedBundles.state, 'stored'))
  await tx.update(storedBundles).set({ state: 'missing' }).where(isStored)
  return lost.map(({ exportId }) => exportId)
}

/** Refers artifacts to objects of their bundles again, after a restore by an earlier version forgot them. What is referred to is no orphan. */
export const reconnectArtifacts = async (db: Tx): Promise<void> => {
  await db.execute(sql`update artifacts set sha256 = b.sha256 from static_exports e, stored_bundles b
    where ${isMissing} and artifacts.sha256 is null and e.export_id = artifacts.export_id and b.sha256 = e.bundle_sha256
      and b.state <> 'deleting'`)
  await db
    .update(storedBundles)
    .set({ state: 'missing' })
    .where(and(eq(storedBundles.state, 'found'), not(isUnused)))
}

/** Gives a bundle that is stored again back to its artifacts. Returns their exports. */
export const giveBack = async (tx: Tx, sha256: string): Promise<string[]> => {
  const found = await tx
    .update(artifacts)
    .set({ state: 'stored', reason: null, detail: null, storedAt: sql`coalesce(stored_at, clock_timestamp())` })
    .where(and(eq(artifacts.sha256, sha256), isMissing))
    .returning({ exportId: artifacts.exportId })
  return found.map(({ exportId }) => exportId)
}
