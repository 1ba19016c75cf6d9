import { hashObject, type ObjectStorage, StorageFailed } from '@docket/artifact-store/object-storage'
import { artifactKeys, listBundles } from '@docket/site-bundle/artifact-keys'
import type { StoredSite } from '@docket/site-bundle/open-site'
import { listReaderPages } from '@docket/site-bundle/pages/page-address'
import { and, eq, ne, or, sql } from 'drizzle-orm'
import { storedBundles, type StoreState, stores } from '#bundles/artifacts/artifacts.table.ts'
import type { ExportRecords } from '#bundles/artifacts/export-records.ts'
import type { Ctx } from '#ground/ctx.ts'
import type { Database } from '#ground/db/database.ts'
import type { Log } from '#ground/log/log.ts'
import { readStoreState } from './known-stores.ts'
import { reconnectReleases } from '#bundles/artifacts/held-bundles.ts'
import { giveBack, loseBundle, reconnectArtifacts } from './missing-bundles.ts'

/** Bundles that are verified at once. */
const atOnce = 4

/**
 * Compares the store with the rows of bundles, and adopts bundles: one that the database knows and that is not stored for it, and with the
 * consent of an admin one without a row. Any process may do so at any time, and go on where another one ended.
 */
export const storeStock = (deps: {
  db: Database
  storage: ObjectStorage
  openSite: (sha256: string) => StoredSite
  exports: Pick<ExportRecords, 'countChange'>
  events: Ctx['events']
  log: Log
}) => {
  const { db, storage, openSite, exports, events, log } = deps

  /** Notes objects without a row, and bundles that the store lacks. Returns those to adopt, what channels show first. */
  const take = async (store: string, state: StoreState): Promise<string[]> => {
    const isHere = and(eq(storedBundles.store, store), eq(storedBundles.state, 'stored'))
    const stored = await db.select({ sha256: storedBundles.sha256 }).from(storedBundles).where(isHere)
    const bundles = await listBundles(storage)
    const listed = [...bundles]
    const sums = sql`${sql.param(listed.map(([sum]) => sum))}::text[]`
    const bytes = sql`${sql.param(listed.map(([, { storedBytes }]) => storedBytes))}::bigint[]`
    // A bundle that somebody begins to write has its row before its first object.
    await db.execute(sql`insert into stored_bundles
      (sha256, state, store, ending, size_bytes, stored_bytes, content_bytes, files, pages, stored_at)
      select sum, 'found', ${store}, '', 0, bytes, 0, 0, 0, clock_timestamp() from unnest(${sums}, ${bytes}) l (sum, bytes)
      on conflict do nothing`)
    await reconnectReleases(db)
    await reconnectArtifacts(db)
    const isFound = and(eq(storedBundles.store, store), eq(storedBundles.state, 'found'))
    await db.delete(storedBundles).where(and(isFound, sql`${storedBundles.sha256} <> all(${sums})`))
    for (const { sha256 } of stored) {
      if (bundles.has(sha256) || (await storage.readSize(artifactKeys(sha256).bundle)) !== null) continue
      log.warn({ sha256 }, 'a stored bundle is missing from its store')
      await db.transaction(async (tx) => exports.countChange(tx, await loseBundle(tx, sha256)))
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

  const isAdoptable = (store: string, state: StoreState) =>
    or(
      eq(storedBundles.state, 'missing'),
      and(eq(storedBundles.state, 'stored'), ne(storedBundles.store, store)),
      state === 'adopting' ? eq(storedBundles.state, 'found') : undefined,
    )

  /** What a row says of a bundle, from its objects. Null when they are not what Docket wrote. Rejects when the store does not answer. */
  const verify = async (sha256: string) => {
    const keys = artifactKeys(sha256)
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

  /** Adopts a bundle, if the database may and its objects are whole. Of several processes, one does. */
  const adopt = async (sha256: string, store: string, state: StoreState): Promise<boolean> => {
    const isThis = and(eq(storedBundles.sha256, sha256), isAdoptable(store, state))
    if ((await db.$count(storedBundles, isThis)) === 0) return false
    const facts = await verify(sha256)
    if (facts === null) {
      log.warn({ sha256 }, 'a bundle in the store is damaged, so it is not adopted')
      return false
    }
    const adoptedAt = sql`case when state = 'found' then clock_timestamp() else adopted_at end`
    const set = { ...facts, state: 'stored', store, releasedAt: null, adoptedAt } as const
    await db.transaction(async (tx) => {
      const taken = await tx.update(storedBundles).set(set).where(isThis).returning()
      const given = taken.length === 0 ? [] : await giveBack(tx, sha256)
      for (const exportId of given) await events.emit(tx, 'bundle.stored', { exportId })
      await exports.countChange(tx, given)
    })
    return true
  }

  return {
    take,
    /** As `adopt`, before the same bytes are stored again. */
    adoptBeforeWriting: (sha256: string, store: string) => adopt(sha256, store, 'adopting'),
    /** Adopts everything that may be adopted. */
    adoptAll: async (store: string, signal: AbortSignal): Promise<void> => {
      for (;;) {
        const state = await readStoreState(db, store)
        const waiting = (await take(store, state)).values()
        const work = async () => {
          for (const sha256 of waiting) {
            signal.throwIfAborted()
            await adopt(sha256, store, state)
          }
        }
        await Promise.all(Array.from({ length: atOnce }, work))
        const isAdopting = and(eq(stores.store, store), eq(stores.state, 'adopting'))
        if (state === 'adopting') await db.update(stores).set({ state: 'known' }).where(isAdopting)
        // An admin may have decided meanwhile.
        else if ((await db.$count(stores, isAdopting)) === 0) return
      }
    },
  }
}

export type StoreStock = ReturnType<typeof storeStock>
