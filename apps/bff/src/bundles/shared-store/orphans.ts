import { and, desc, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { storedBundles, stores } from '#bundles/artifacts/artifacts.table.ts'
import { isHeldBundle } from '#bundles/artifacts/held-bundles.ts'
import type { Tx } from '#ground/db/database.ts'
import { restPeriod } from './shared-store.ts'
import type { DecideOnStore } from '@docket/api-types/storage'
import { reasonSentences } from '#bundles/artifacts/artifacts.state.ts'
import type { BundlesCtx } from '#bundles/bundles-ctx.ts'
import { recordAudit } from '#ground/audit/audit.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { Actor } from '#ground/identity/identity.ts'

/** Orphans that make up a larger part of the store are never removed automatically. */
const maxShare = 0.05
/** Time for which objects without a row are kept, except those first seen soon after a restore. */
const grace = sql`interval '7 days'`

/** SQL condition: no export refers to the bundle, and no channel holds it. */
export const isUnused = sql`(not exists (select from artifacts a where a.sha256 = ${storedBundles.sha256})
  and not ${isHeldBundle(sql`${storedBundles.sha256}`)})`

/** An adopted bundle counts as referenced. */
export const isUnreferenced = and(isUnused, isNull(storedBundles.adoptedAt))!

const endsAt = sql`(stored_bundles.stored_at + case when exists (select from stores s where s.store = stored_bundles.store
  and s.restored_at > stored_bundles.stored_at - ${restPeriod}) then ${restPeriod} else ${grace} end)`

const countBundles = (some: readonly { bytes: number }[]) => ({
  bundles: some.length,
  bytes: some.reduce((sum, { bytes }) => sum + bytes, 0),
})

/**
 * Lists bundles that were found without a row, adopted or not, and that nothing uses; the largest first. `removedAfter`: when Docket
 * removes them automatically. Null for adopted ones, and for all while they are a large part of the store.
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
  const found = countBundles(rows.filter(({ isFound }) => isFound))
  const isLarge = found.bundles > all!.bundles * maxShare || found.bytes > all!.bytes * maxShare
  const orphans = rows.map(({ isFound, endsAt: at, ...row }) => ({
    ...row,
    removedAfter: isFound && !isLarge ? at : null,
  }))
  return { orphans, ...countBundles(rows) }
}

/** Skips bundles that are in use by now. */
export const condemnOrphans = async (tx: Tx, orphans: readonly { sha256: string }[]): Promise<void> => {
  const sums = orphans.map(({ sha256 }) => sha256)
  const isOrphan = and(inArray(storedBundles.state, ['found', 'stored']), isUnused)
  await tx
    .update(storedBundles)
    .set({ state: 'deleting' })
    .where(and(inArray(storedBundles.sha256, sums), isOrphan))
}

const states = { adopt: 'adopting', leave: 'left' } as const
const actions = { adopt: 'store.adopted', leave: 'store.left', remove: 'store.orphans_removed' } as const

/**
 * Applies an admin's decision about the bundles in a store that is unknown to this database. Idempotent. False without such a store. Throws
 * `conflict` when the orphans to remove are not those that the admin saw.
 */
export const decideOnKnownStore = async (tx: Tx, store: string, asked: DecideOnStore, by: Actor): Promise<boolean> => {
  const [known] = await tx.select().from(stores).where(eq(stores.store, store)).for('update')
  if (known === undefined) return false
  let details = {}
  if (asked.decision === 'remove') {
    const { orphans, bundles, bytes } = await listOrphans(tx, store)
    // A second click.
    if (bundles === 0) return true
    if (bundles !== asked.bundles || bytes !== asked.bytes)
      throw new AppError('conflict', 'The orphans have changed since you looked. Look at them again, then decide.')
    await condemnOrphans(tx, orphans)
    details = { bundles, bytes }
  } else {
    const state = states[asked.decision]
    if (known.state === state) return true
    await tx.update(stores).set({ state }).where(eq(stores.store, store))
  }
  const target = { type: 'store', id: store, name: null }
  await recordAudit(tx, by, { action: actions[asked.decision], at: new Date(), target, details })
  return true
}

/** Decides on the store of this process. Throws `conflict` when it is not shared, and `busy` when it does not answer. */
export const decideOnStore = async (
  { db, view, requestAdoption }: BundlesCtx,
  asked: DecideOnStore,
  by: Actor,
): Promise<void> => {
  const { name, problem } = await view()
  if (problem === 'not_shared') throw new AppError('conflict', reasonSentences[problem])
  if (name === null) throw new AppError('busy', 'The store of bundles does not answer. Try again.')
  await db.transaction((tx) => decideOnKnownStore(tx, name, asked, by))
  if (asked.decision === 'adopt') await requestAdoption()
}
