import { hashObject, StorageFailed } from '@docket/artifact-store/object-storage'
import { listArtifactKeys, listBundles } from '@docket/site-bundle/artifact-keys'
import { listReaderPages } from '@docket/site-bundle/locator/page-address'
import { and, eq, ne, or, sql, not } from 'drizzle-orm'
import { storedBundles, type StoreState, stores, artifacts } from '#bundles/artifacts/artifacts.table.ts'
import type { StoringCtx } from '#bundles/bundles-ctx.ts'
import type { Tx } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { readStoreState } from './shared-store.ts'
import { reconnectReleases } from '#bundles/artifacts/held-bundles.ts'
import { isUnused } from './orphans.ts'

const isMissing = and(eq(artifacts.state, 'not_stored'), eq(artifacts.reason, 'not_restored'))

/** Notes that the store lacks a stored bundle. Artifacts and releases go on referring to it. Returns the exports. */
const recordMissing = async (tx: Tx, sha256: string): Promise<string[]> => {
  const lost = await tx
    .update(artifacts)
    .set({ state: 'not_stored', reason: 'not_restored', detail: null })
    .where(and(eq(artifacts.sha256, sha256), eq(artifacts.state, 'stored')))
    .returning({ exportId: artifacts.exportId })
  const isStored = and(eq(storedBundles.sha256, sha256), eq(storedBundles.state, 'stored'))
  await tx.update(storedBundles).set({ state: 'missing' }).where(isStored)
  return lost.map(({ exportId }) => exportId)
}

/** A restore by an earlier version drops these references. Without them, the bundles would count as orphans. */
const reconnectArtifacts = async (db: Tx): Promise<void> => {
  await db.execute(sql`update artifacts set sha256 = b.sha256 from static_exports e, stored_bundles b
    where ${isMissing} and artifacts.sha256 is null and e.export_id = artifacts.export_id and b.sha256 = e.bundle_sha256
      and b.state <> 'deleting'`)
  await db
    .update(storedBundles)
    .set({ state: 'missing' })
    .where(and(eq(storedBundles.state, 'found'), not(isUnused)))
}

/** Marks the artifacts of a bundle as stored when the bundle is stored again. Returns their exports. */
export const restoreArtifacts = async (tx: Tx, sha256: string): Promise<string[]> => {
  const found = await tx
    .update(artifacts)
    .set({ state: 'stored', reason: null, detail: null, storedAt: sql`coalesce(stored_at, clock_timestamp())` })
    .where(and(eq(artifacts.sha256, sha256), isMissing))
    .returning({ exportId: artifacts.exportId })
  return found.map(({ exportId }) => exportId)
}

const atOnce = 4

const isAdoptable = (store: string, state: StoreState) =>
  or(
    eq(storedBundles.state, 'missing'),
    and(eq(storedBundles.state, 'stored'), ne(storedBundles.store, store)),
    state === 'adopting' ? eq(storedBundles.state, 'found') : undefined,
  )

/** Notes objects without a row, and bundles that the store lacks. Returns the bundles to adopt, beginning with those that channels show. */
export const takeStock = async (ctx: StoringCtx, store: string, state: StoreState): Promise<string[]> => {
  const { db, storage, exports, log } = ctx
  const isHere = and(eq(storedBundles.store, store), eq(storedBundles.state, 'stored'))
  const stored = await db.select({ sha256: storedBundles.sha256 }).from(storedBundles).where(isHere)
  const bundles = await listBundles(storage)
  const listed = [...bundles]
  const sums = sql`${sql.param(listed.map(([sum]) => sum))}::text[]`
  const bytes = sql`${sql.param(listed.map(([, { storedBytes }]) => storedBytes))}::bigint[]`
  // A bundle that is being written has a row before its first object.
  await db.execute(sql`insert into stored_bundles
    (sha256, state, store, ending, size_bytes, stored_bytes, content_bytes, files, pages, stored_at)
    select sum, 'found', ${store}, '', 0, bytes, 0, 0, 0, clock_timestamp() from unnest(${sums}, ${bytes}) l (sum, bytes)
    on conflict do nothing`)
  await reconnectReleases(db)
  await reconnectArtifacts(db)
  const isFound = and(eq(storedBundles.store, store), eq(storedBundles.state, 'found'))
  await db.delete(storedBundles).where(and(isFound, sql`${storedBundles.sha256} <> all(${sums})`))
  for (const { sha256 } of stored) {
    if (bundles.has(sha256) || (await storage.readSize(listArtifactKeys(sha256).bundle)) !== null) continue
    log.warn({ sha256 }, 'a stored bundle is missing from its store')
    await db.transaction(async (tx) => exports.countChange(tx, await recordMissing(tx, sha256)))
  }
  const isHeld = sql`exists (select from releases r where r.sha256 = ${storedBundles.sha256} and r.is_held)`
  const isShown = sql`exists (select from releases r join channels c on c.current_release_id = r.release_id where r.sha256 = ${storedBundles.sha256})`
  const adoptable = await db
    .select({ sha256: storedBundles.sha256 })
    .from(storedBundles)
    .where(and(isAdoptable(store, state), sql`${storedBundles.sha256} = any(${sums})`))
    .orderBy(sql`${isShown} desc`, sql`${isHeld} desc`, sql`${storedBundles.storedAt} desc`)
  return adoptable.map(({ sha256 }) => sha256)
}

/** Reads a bundle's row from its objects. Null when they are not what Docket wrote. Rejects when the store does not answer. */
const verifyBundle = async ({ storage, openSite }: StoringCtx, sha256: string) => {
  const keys = listArtifactKeys(sha256)
  if ((await hashObject(storage, keys.bundle)) !== sha256) return null
  const site = openSite(sha256)
  try {
    // The last one compares the ZIP with the manifest.
    const [manifest, { unfinished }] = await Promise.all([site.manifest(), site.report(), site.find('')])
    const { ending, sizeBytes, contentBytes, files, pages } = manifest
    if (manifest.sha256 !== sha256) return null
    let storedBytes = 0
    for await (const object of storage.list(keys.prefix)) storedBytes += object.sizeBytes
    const counts = { files: files.length, pages: listReaderPages(pages).length }
    return { ending, sizeBytes, contentBytes, storedBytes, checkUnfinished: unfinished, ...counts }
  } catch (error) {
    if (error instanceof StorageFailed) return null
    throw error
  }
}

/**
 * Adopts a bundle if its objects are complete and the database may: a known bundle that is not stored, and during `adopting` also one
 * without a row. Of several processes, only one adopts it.
 */
export const adoptBundle = async (
  ctx: StoringCtx,
  sha256: string,
  { store, state }: { store: string; state: StoreState },
): Promise<boolean> => {
  const { db, exports, events, log } = ctx
  const isThis = and(eq(storedBundles.sha256, sha256), isAdoptable(store, state))
  if ((await db.$count(storedBundles, isThis)) === 0) return false
  const facts = await verifyBundle(ctx, sha256)
  if (facts === null) {
    log.warn({ sha256 }, 'a bundle in the store is damaged, so it is not adopted')
    return false
  }
  const adoptedAt = sql`case when state = 'found' then clock_timestamp() else adopted_at end`
  const set = { ...facts, state: 'stored', store, releasedAt: null, adoptedAt, picture: null } as const
  await db.transaction(async (tx) => {
    const taken = await tx.update(storedBundles).set(set).where(isThis).returning()
    const given = taken.length === 0 ? [] : await restoreArtifacts(tx, sha256)
    for (const exportId of given) await events.emit(tx, 'bundle.stored', { exportId })
    await exports.countChange(tx, given)
  })
  return true
}

/** Adopts everything that may be adopted. Any process may do so at any time, and continue where another one ended. */
export const adoptAll = async (ctx: StoringCtx, signal: AbortSignal): Promise<void> => {
  const { db } = ctx
  const { name: store, problem } = await ctx.view()
  if (problem === 'not_shared' || (problem === 'off' && store === null)) return
  if (store === null) throw new AppError('busy', 'The store of bundles does not answer.')
  for (;;) {
    const state = await readStoreState(db, store)
    const waiting = (await takeStock(ctx, store, state)).values()
    const work = async () => {
      for (const sha256 of waiting) {
        signal.throwIfAborted()
        await adoptBundle(ctx, sha256, { store, state })
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    const isAdopting = and(eq(stores.store, store), eq(stores.state, 'adopting'))
    if (state === 'adopting') await db.update(stores).set({ state: 'known' }).where(isAdopting)
    // An admin may have decided meanwhile.
    else if ((await db.$count(stores, isAdopting)) === 0) return
  }
}
