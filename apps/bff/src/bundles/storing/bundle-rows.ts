import { and, eq, sql } from 'drizzle-orm'
import { storedBundles, artifacts } from '#bundles/artifacts/artifacts.table.ts'
import type { Tx } from '#ground/db/database.ts'
import { isRunning } from '#bundles/shared-store/shared-store.ts'
import type { NotStoredReason } from '@docket/api-types/artifacts'
import { type ExportForArtifact, findSite } from '#bundles/artifacts/artifacts.rows.ts'
import { channels, sites } from '#ground/db/sites.table.ts'

export const ensureSite = async (
  tx: Tx,
  { connectionId, domain }: Pick<ExportForArtifact, 'connectionId' | 'domain'>,
  at: Date,
): Promise<string> => {
  await tx.insert(sites).values({ connectionId, domain, createdAt: at }).onConflictDoNothing()
  return (await findSite(tx, { connectionId, domain }))!
}

/** Makes a site again of one that somebody removed. Call it after `lockSite`, and last, because completions lock the list of exports before they refer to sites. */
export const reviveSite = async (tx: Tx, siteId: string): Promise<void> => {
  if ((await tx.$count(channels, eq(channels.siteId, siteId))) > 0) return
  // Like the trigger that labels new sites: two at once must not get the same label.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('site labels', 0))`)
  await tx
    .update(sites)
    .set({ label: sql`free_site_label(${sites.domain})` })
    .where(eq(sites.siteId, siteId))
  await tx.insert(channels).values([
    { siteId, name: 'production' },
    { siteId, name: 'latest', followsExports: true },
  ])
}

export const emptyArtifact = {
  reason: null,
  detail: null,
  phase: null,
  done: null,
  total: null,
  sha256: null,
  kept: false,
  madePortable: false,
  storedAt: null,
  attempts: 0,
} as const

/** With `reason`, notes why it will not be stored. False, without a change, while it is being stored or when a copy exists. */
export const intendStoring = async (
  tx: Tx,
  { exportId, startedAt, ...place }: ExportForArtifact,
  {
    at,
    reason = null,
    ...more
  }: { at: Date; reason?: NotStoredReason | null; attempts?: number; madePortable?: boolean },
): Promise<boolean> => {
  const siteId = await ensureSite(tx, place, at)
  const state = reason === null ? ('storing' as const) : ('not_stored' as const)
  const set = { ...emptyArtifact, state, reason, ...more }
  const written = await tx
    .insert(artifacts)
    .values({ ...set, exportId, siteId, exportedAt: startedAt })
    .onConflictDoUpdate({ target: artifacts.exportId, set, setWhere: sql`${artifacts.state} = 'not_stored'` })
    .returning({ exportId: artifacts.exportId })
  return written.length > 0
}

export type BundleFacts = Pick<
  typeof storedBundles.$inferSelect,
  'sha256' | 'ending' | 'sizeBytes' | 'storedBytes' | 'contentBytes' | 'files' | 'pages' | 'checkUnfinished'
>

const isStoredIn = (sha256: string, store: string) =>
  and(eq(storedBundles.sha256, sha256), eq(storedBundles.state, 'stored'), eq(storedBundles.store, store))

/** Lasts for the transaction that refers to the bundle, or for the time that readers have. False when it is not stored (any more). */
export const holdBundle = async (tx: Tx, sha256: string, store: string): Promise<boolean> => {
  const held = await tx
    .update(storedBundles)
    .set({ releasedAt: null })
    .where(isStoredIn(sha256, store))
    .returning({ sha256: storedBundles.sha256 })
  return held.length > 0
}

/**
 * Claims the keys of a bundle before its first object is written, so that no clean-up takes them for orphans. False while another process
 * writes the bundle, while it is being deleted, and when it is stored already.
 */
export const beginWriting = async (
  db: Tx,
  facts: BundleFacts,
  { writer, store, at }: { writer: string; store: string; at: Date },
): Promise<boolean> => {
  const row = { ...facts, state: 'writing' as const, writer, store, releasedAt: null, storedAt: at, picture: null }
  const { state, writer: other, store: itsStore } = storedBundles
  const claimed = await db
    .insert(storedBundles)
    .values(row)
    .onConflictDoUpdate({
      target: storedBundles.sha256,
      set: row,
      setWhere: sql`(${state} = 'writing' and (${other} = ${writer} or not ${isRunning(other)}))
        or (${state} = 'stored' and ${itsStore} is distinct from ${store}) or ${state} in ('missing', 'found')`,
    })
    .returning({ sha256: storedBundles.sha256 })
  return claimed.length > 0
}

/** Locks the bundle until the transaction ends. False when this process is no longer its writer. */
export const endWriting = async (
  tx: Tx,
  sha256: string,
  { writer, at }: { writer: string; at: Date },
): Promise<boolean> => {
  const ended = await tx
    .update(storedBundles)
    .set({ state: 'stored', writer: null, storedAt: at })
    .where(and(eq(storedBundles.sha256, sha256), eq(storedBundles.state, 'writing'), eq(storedBundles.writer, writer)))
    .returning({ sha256: storedBundles.sha256 })
  return ended.length > 0
}

/** Call it in the transaction that removed a reference. The objects are kept for a while: see `removeBundles`. */
export const releaseBundle = async (tx: Tx, sha256: string, at: Date): Promise<void> => {
  // Locks before it checks, so that a process that stores the same bytes has either committed its reference or waits.
  await tx.execute(sql`select from stored_bundles where sha256 = ${sha256} for update`)
  await tx
    .update(storedBundles)
    .set({ releasedAt: at })
    .where(and(eq(storedBundles.sha256, sha256), sql`not exists (select from artifacts a where a.sha256 = ${sha256})`))
}
