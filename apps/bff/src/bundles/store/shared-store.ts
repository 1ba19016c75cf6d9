import type { ObjectStorage } from '@docket/artifact-store/object-storage'
import { eq, ne, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { storeProcesses } from '#bundles/artifacts/artifacts.table.ts'
import { noteStore } from '#bundles/store/known-stores.ts'
import type { StoreView } from '#bundles/artifacts/artifacts.state.ts'
import type { Database } from '#ground/db/database.ts'
import type { Log } from '#ground/log/log.ts'

/** A process that was not seen for longer counts as gone. Several ticks of the registry. */
const missedAfter = sql`interval '90 seconds'`

/** True while the process runs, as far as the database knows. */
export const isRunning = (processId: PgColumn | SQL): SQL<boolean> =>
  sql<boolean>`exists (select from store_processes p where p.process_id = ${processId} and p.seen_at > clock_timestamp() - ${missedAfter})`

/**
 * Tells the other processes on the database which store this one has, and learns theirs. Where they differ, a bundle that one process stores
 * is lost for the others, so `view` reports `not_shared`. `alone`: no other process uses the database.
 */
export const sharedStore = (deps: {
  db: Database
  storage: ObjectStorage
  /** Names this process until it ends. */
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
      // A process that stores nothing leaves no trace in the store.
      const marker = name ?? (enabled ? await storage.ensureMarker() : await storage.readMarker())
      if (name === null && marker !== null) await noteStore(db, storage, marker)
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
    /** Called every few seconds. */
    tick,
    /** The store as of the last tick. */
    view: async (): Promise<StoreView> => {
      first ??= tick()
      await first.catch(() => (first = undefined))
      return current
    },
    /** Says that this process ends. */
    leave: async () => {
      await db.delete(storeProcesses).where(eq(storeProcesses.processId, processId))
    },
  }
}

export type SharedStore = ReturnType<typeof sharedStore>
