import type { ObjectStorage } from '@docket/artifact-store/object-storage'
import { eq, sql } from 'drizzle-orm'
import { type StoreState, stores } from '#bundles/artifacts/artifacts.table.ts'
import type { Database, Tx } from '#ground/db/database.ts'

/** Docket removes nothing by itself for so long after a restore: the lost database knew more than this one. */
export const restPeriod = sql`interval '14 days'`

const hasBundles = async (storage: Pick<ObjectStorage, 'list'>): Promise<boolean> => {
  for await (const { key } of storage.list('sha256/')) return key !== ''
  return false
}

/** Notes that a process uses a store. One that had bundles before this database knew it is `unknown` until an admin decides. */
export const noteStore = async (db: Database, storage: Pick<ObjectStorage, 'list'>, store: string): Promise<void> => {
  const seenAt = sql`clock_timestamp()`
  const noted = await db.update(stores).set({ seenAt }).where(eq(stores.store, store)).returning()
  if (noted.length > 0) return
  const { rows } = await db.execute<{ isKnown: boolean }>(
    sql`select exists (select from stored_bundles where coalesce(store, ${store}) = ${store}) as "isKnown"`,
  )
  const state = rows[0]!.isKnown || !(await hasBundles(storage)) ? 'known' : 'unknown'
  // Of several processes, the first one decides, before any of them writes a bundle.
  await db.insert(stores).values({ store, state, seenAt }).onConflictDoNothing()
}

/** What this database knows of a store. */
export const readStoreState = async (db: Tx, store: string): Promise<StoreState> => {
  const [row] = await db.select({ state: stores.state }).from(stores).where(eq(stores.store, store))
  return row?.state ?? 'unknown'
}

/** True in the first days after a restore. */
export const isResting = async (db: Tx): Promise<boolean> =>
  (await db.$count(stores, sql`${stores.restoredAt} > clock_timestamp() - ${restPeriod}`)) > 0
