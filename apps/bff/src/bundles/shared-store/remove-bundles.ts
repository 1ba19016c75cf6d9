import { listArtifactKeys } from '@docket/site-bundle/artifact-keys'
import { and, eq, not, notInArray, sql } from 'drizzle-orm'
import type { StoringCtx } from '#bundles/bundles-ctx.ts'
import { type BundleState, storedBundles, type StoreState } from '#bundles/artifacts/artifacts.table.ts'
import { condemnOrphans, isUnreferenced, isUnused, listOrphans } from '#bundles/shared-store/orphans.ts'
import { isRunning } from '#bundles/shared-store/shared-store.ts'

/** Time for which the objects of a bundle are kept after its last reference is removed, so that reads in progress can finish. */
const readersGrace = sql`interval '10 minutes'`

const comparisonPattern = /^comparisons\/([0-9a-f]{64})-([0-9a-f]{64})\./

/** State of a bundle whose writer gave up: artifacts and releases that refer to it keep waiting for its bytes. */
const givenUp = sql<BundleState>`case when ${isUnreferenced} then 'deleting' else 'missing' end`

/** The lock of the row keeps other processes away. False when there is nothing to remove. */
const removeCondemned = ({ db, storage }: StoringCtx, sha256: string): Promise<boolean> =>
  db.transaction(async (tx) => {
    const condemned = and(eq(storedBundles.sha256, sha256), eq(storedBundles.state, 'deleting'))
    const [row] = await tx.select().from(storedBundles).where(condemned).for('update', { skipLocked: true })
    if (row === undefined) return false
    for await (const { key } of storage.list(listArtifactKeys(sha256).prefix)) await storage.remove(key)
    await tx.delete(storedBundles).where(condemned)
    return true
  })

const condemnReleased = async ({ db }: StoringCtx) => {
  const isOver = sql`${storedBundles.releasedAt} < clock_timestamp() - ${readersGrace}`
  await db
    .update(storedBundles)
    .set({ state: 'deleting' })
    .where(and(isUnreferenced, eq(storedBundles.state, 'stored'), isOver))
  await db
    .update(storedBundles)
    .set({ state: givenUp, writer: null })
    .where(and(eq(storedBundles.state, 'writing'), not(isRunning(storedBundles.writer))))
  // If its objects reappear in the store later, they count as objects without a row.
  await db.delete(storedBundles).where(and(isUnused, eq(storedBundles.state, 'missing')))
}

/** A comparison is removed with either of its bundles, because it can be made again on request. */
const removeOrphanComparisons = async ({ db, storage }: StoringCtx) => {
  for await (const { key } of storage.list('comparisons/')) {
    const [, earlier, later] = comparisonPattern.exec(key) ?? []
    if (earlier === undefined || later === undefined) continue
    const { rows } = await db.execute<{ known: number }>(
      sql`select count(*)::int as known from stored_bundles where sha256 in (${earlier}, ${later}) and state <> 'deleting'`,
    )
    if (rows[0]!.known < new Set([earlier, later]).size) await storage.remove(key)
  }
}

/** Condemns a bundle that this process did not finish, and removes what it wrote. */
export const abandonBundle = async (ctx: StoringCtx, sha256: string): Promise<void> => {
  const { db, processId } = ctx
  const abandoned = await db
    .update(storedBundles)
    .set({ state: givenUp, writer: null })
    .where(
      and(eq(storedBundles.sha256, sha256), eq(storedBundles.state, 'writing'), eq(storedBundles.writer, processId)),
    )
    .returning({ state: storedBundles.state })
  if (abandoned[0]?.state === 'deleting') await removeCondemned(ctx, sha256)
}

/**
 * Removes released bundles, those of dead writers, and, after a while, objects without a row. Returns the number of bundles. A bundle is
 * condemned first: from then on nothing can refer to it, and a process that stores the same bytes waits until its last object is removed.
 * So no object is removed that is being written or needed.
 */
export const removeBundles = async (ctx: StoringCtx, store: string, state: StoreState): Promise<number> => {
  const { db, log } = ctx
  await db
    .update(storedBundles)
    .set({ releasedAt: sql`clock_timestamp()` })
    .where(and(isUnreferenced, eq(storedBundles.state, 'stored'), sql`${storedBundles.releasedAt} is null`))
  await condemnReleased(ctx)
  if (state === 'known') {
    const { orphans } = await listOrphans(db, store)
    await condemnOrphans(
      db,
      orphans.filter(({ removedAfter, isOver }) => removedAfter !== null && isOver),
    )
  }
  const failed: string[] = []
  let removed = 0
  for (;;) {
    const [next] = await db
      .select({ sha256: storedBundles.sha256 })
      .from(storedBundles)
      .where(
        and(
          eq(storedBundles.state, 'deleting'),
          eq(storedBundles.store, store),
          failed.length === 0 ? undefined : notInArray(storedBundles.sha256, failed),
        ),
      )
      .limit(1)
    if (next === undefined) break
    try {
      if (await removeCondemned(ctx, next.sha256)) removed += 1
      // Another process is removing it.
      else failed.push(next.sha256)
    } catch (error) {
      log.warn({ err: error, sha256: next.sha256 }, 'a bundle could not be removed from its store yet')
      failed.push(next.sha256)
    }
  }
  await removeOrphanComparisons(ctx)
  return removed
}
