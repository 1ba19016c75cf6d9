import { and, desc, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { storedBundles } from '#bundles/artifacts/artifacts.table.ts'
import { isHeldBundle } from '#bundles/artifacts/held-bundles.ts'
import type { Tx } from '#ground/db/database.ts'
import { restPeriod } from './known-stores.ts'

/** Larger parts of a store never go by themselves. */
const maxShare = 0.05
/** Time for which objects without a row stay, but for those that were seen soon after a restore. */
const grace = sql`interval '7 days'`

/** Condition for bundles that no export refers to, and no channel holds. */
export const isUnused = sql`(not exists (select from artifacts a where a.sha256 = ${storedBundles.sha256})
  and not ${isHeldBundle(sql`${storedBundles.sha256}`)})`

/** As `isUnused`, and no admin adopted it. */
export const isUnreferenced = and(isUnused, isNull(storedBundles.adoptedAt))!

const endsAt = sql`(stored_bundles.stored_at + case when exists (select from stores s where s.store = stored_bundles.store
  and s.restored_at > stored_bundles.stored_at - ${restPeriod}) then ${restPeriod} else ${grace} end)`

const countAll = (some: readonly { bytes: number }[]) => ({
  bundles: some.length,
  bytes: some.reduce((sum, { bytes }) => sum + bytes, 0),
})

/**
 * Objects that had no row, adopted or not, and that nothing uses; the largest first. `removedAfter`: when Docket removes them by itself. Null
 * for adopted ones, and for all while they are a large part of the store.
 */
export const listOrphans = async (tx: Tx, store: string) => {
  const { sha256, storedBytes, state, adoptedAt } = storedBundles
  const isOrphan = or(eq(state, 'found'), and(eq(state, 'stored'), isNotNull(adoptedAt), isUnused))
  const rows = await tx
    .select({
      sha256,
      bytes: storedBytes,
      isFound: sql<boolean>`${state} = 'found'`,
      endsAt: sql<Date>`${endsAt}`.mapWith(storedBundles.storedAt),
      isOver: sql<boolean>`${endsAt} < clock_timestamp()`,
    })
    .from(storedBundles)
    .where(and(eq(storedBundles.store, store), isOrphan))
    .orderBy(desc(storedBytes), sha256)
  const [all] = await tx
    .select({ bundles: sql<number>`count(*)::int`, bytes: sql<number>`coalesce(sum(${storedBytes}), 0)::float8` })
    .from(storedBundles)
    .where(and(eq(storedBundles.store, store), inArray(state, ['found', 'stored'])))
  const found = countAll(rows.filter(({ isFound }) => isFound))
  const isLarge = found.bundles > all!.bundles * maxShare || found.bytes > all!.bytes * maxShare
  const orphans = rows.map(({ isFound, endsAt: at, ...row }) => ({
    ...row,
    removedAfter: isFound && !isLarge ? at : null,
  }))
  return { orphans, ...countAll(rows) }
}

/** Condemns orphans, unless somebody uses them by now. */
export const condemn = async (tx: Tx, orphans: readonly { sha256: string }[]): Promise<void> => {
  const sums = orphans.map(({ sha256 }) => sha256)
  const isOrphan = and(inArray(storedBundles.state, ['found', 'stored']), isUnused)
  await tx
    .update(storedBundles)
    .set({ state: 'deleting' })
    .where(and(inArray(storedBundles.sha256, sums), isOrphan))
}
