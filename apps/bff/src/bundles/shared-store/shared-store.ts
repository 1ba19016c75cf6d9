import { type ObjectStorage, StorageFailed } from '@docket/artifact-store/object-storage'
import { eq, ne, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { storeProcesses, type StoreState, stores } from '#bundles/artifacts/artifacts.table.ts'
import type { StoreView } from '#bundles/artifacts/artifacts.state.ts'
import type { Database, Tx } from '#ground/db/database.ts'
import type { Log } from '#ground/log/log.ts'

/** Time after a restore during which Docket removes nothing automatically, because the lost database knew more than this one. */
export const restPeriod = sql`interval '14 days'`

const hasBundles = async (storage: Pick<ObjectStorage, 'list'>): Promise<boolean> => {
  for await (const { key } of storage.list('sha256/')) return key !== ''
  return false
}

/** Notes that a process uses a store. One that had bundles before this database knew it is `unknown` until an admin decides. */
const recordStore = async (db: Database, storage: Pick<ObjectStorage, 'list'>, store: string): Promise<void> => {
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

export const readStoreState = async (db: Tx, store: string): Promise<StoreState> => {
  const [row] = await db.select({ state: stores.state }).from(stores).where(eq(stores.store, store))
  return row?.state ?? 'unknown'
}

export const isResting = async (db: Tx): Promise<boolean> =>
  (await db.$count(stores, sql`${stores.restoredAt} > clock_timestamp() - ${restPeriod}`)) > 0

/** Time for which the result of checking the store is reused. Milliseconds. */
const lookMs = 15_000

/** `problem`: a readable reason why the store does not work. */
export type StoreHealth = { isWell: boolean; freeBytes: number | null; problem: string | null }

export const createHealthReader = (storage: ObjectStorage): (() => Promise<StoreHealth>) => {
  let latest: { at: number; health: Promise<StoreHealth> } | undefined
  const look = async (): Promise<StoreHealth> => {
    try {
      return { isWell: true, problem: null, ...(await storage.check()) }
    } catch (error) {
      const problem = error instanceof StorageFailed ? error.message : 'The store does not answer.'
      return { isWell: false, problem, freeBytes: null }
    }
  }
  return () => {
    if (latest === undefined || performance.now() - latest.at > lookMs)
      latest = { at: performance.now(), health: look() }
    return latest.health
  }
}

/** A process that was not seen for this long counts as ended. Several ticks of the registry. */
const missedAfter = sql`interval '90 seconds'`

export const isRunning = (processId: PgColumn | SQL): SQL<boolean> =>
  sql<boolean>`exists (select from store_processes p where p.process_id = ${processId} and p.seen_at > clock_timestamp() - ${missedAfter})`

/**
 * Publishes the store of this process to the others on the database, and reads theirs. If they differ, a bundle that one process stores is
 * missing for the others, so `view` reports `not_shared`. `alone`: no other process uses the database.
 */
export const openSharedStore = (deps: {
  db: Database
  storage: ObjectStorage
  processId: string
  alone: boolean
  settings: { enabled: boolean; retentionDays: number }
  log: Log
}) => {
  const { db, storage, processId, alone, settings, log } = deps
  const { enabled, retentionDays } = settings
  let name: string | null = null
  let current: StoreView = { name: null, problem: enabled ? null : 'off', retentionDays }
  let first: Promise<void> | undefined

  const isShared = async (store: string): Promise<boolean> => {
    await db
      .insert(storeProcesses)
      .values({ processId, store, seenAt: sql`clock_timestamp()` })
      .onConflictDoUpdate({ target: storeProcesses.processId, set: { store, seenAt: sql`clock_timestamp()` } })
    if (alone) {
      await db.delete(storeProcesses).where(ne(storeProcesses.processId, processId))
      return true
    }
    await db.delete(storeProcesses).where(sql`${storeProcesses.seenAt} < clock_timestamp() - interval '1 day'`)
    const others = await db
      .select({ store: storeProcesses.store })
      .from(storeProcesses)
      .where(sql`${storeProcesses.seenAt} > clock_timestamp() - ${missedAfter} and ${storeProcesses.store} <> ${store}`)
      .limit(1)
    return others.length === 0
  }

  const tick = async (): Promise<void> => {
    try {
      // A process that stores nothing writes nothing to the store.
      const marker = name ?? (enabled ? await storage.ensureMarker() : await storage.readMarker())
      if (name === null && marker !== null) await recordStore(db, storage, marker)
      name = marker
    } catch (error) {
      log.debug({ err: error }, 'the store of bundles does not answer')
    }
    const problem = !enabled ? 'off' : name === null || (await isShared(name)) ? null : 'not_shared'
    if (problem === 'not_shared' && current.problem !== problem)
      log.warn(
        'bundles are not stored, because several processes run without a store that they share; set ARTIFACT_S3_BUCKET or one ARTIFACT_STORE_DIR for all',
      )
    current = { name, problem, retentionDays }
  }

  return {
    tick,
    view: async (): Promise<StoreView> => {
      first ??= tick()
      await first.catch(() => (first = undefined))
      return current
    },
    leave: async () => {
      await db.delete(storeProcesses).where(eq(storeProcesses.processId, processId))
    },
  }
}

export type SharedStore = ReturnType<typeof openSharedStore>
