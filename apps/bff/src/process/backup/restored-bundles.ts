import { isDeepStrictEqual } from 'node:util'
import type { ObjectStorage } from '@docket/artifact-store/object-storage'
import { listBundles } from '@docket/site-bundle/artifact-keys'
import type { Client } from 'pg'
import { listTables } from './catalog.ts'
import { artifactFolder } from './data-files.ts'
import { type Manifest, BackupRefused } from './manifest.ts'

/** `settings` locate the store. `withoutStore` allows the restore even if the backup names another one. */
export type RestoreStore = { storage: ObjectStorage; settings: Record<string, string>; withoutStore: boolean }

/** Throws `BackupRefused` when the bundles of a backup are in another store than the configured one. */
export const refuseOtherStore = async (
  { store, tables, files }: Manifest,
  { storage, settings, withoutStore }: RestoreStore,
): Promise<void> => {
  const hasBundles = tables.some(({ name, rows }) => name === 'stored_bundles' && rows > 0)
  const bringsThem = files.some(({ path }) => path.startsWith(`${artifactFolder}/`))
  if (store === null || withoutStore || !hasBundles || bringsThem || isDeepStrictEqual(store.settings, settings)) return
  // The store may have moved.
  if (store.id !== null && (await storage.readMarker().catch(() => null)) === store.id) return
  const named = Object.entries(store.settings).map(([name, value]) => `${name}=${value}`)
  const what =
    named.length === 0
      ? 'Move the folder artifacts of the DATA_DIR that was backed up into this one, and remove ARTIFACT_S3_BUCKET and ARTIFACT_STORE_DIR'
      : `Set ${named.join(' ')}${'ARTIFACT_S3_BUCKET' in store.settings ? ' with ARTIFACT_S3_ACCESS_KEY_ID and ARTIFACT_S3_SECRET_ACCESS_KEY' : ''}`
  throw new BackupRefused(
    `The bundles of this backup are in another store. ${what}, and restore again. If that store is lost, restore with --without-store: its bundles then count as missing until Docket finds them in its own store. Nothing was changed.`,
  )
}

/**
 * Keeps the bundles that the store has, and marks the others as missing. Needs a transaction. `id`: marker of the store in the backup.
 * `note` records the restore once the tables are migrated to this version.
 */
export const settleBundles = async (client: Client, storage: ObjectStorage, id: string | null | undefined) => {
  const listed = await listBundles(storage)
  const marker = listed.size === 0 ? await storage.readMarker() : await storage.ensureMarker()
  const tables = new Set((await listTables(client)).map(({ name }) => name))
  let kept: string[] = []
  const note = async (): Promise<void> => {
    if (marker === null) return
    const state = id === marker || listed.size === 0 || kept.length > 0 ? 'known' : 'unknown'
    await client.query(
      `insert into stores (store, state, seen_at, restored_at) values ($1, $2, now(), now())
        on conflict (store) do update set seen_at = now(), restored_at = now()`,
      [marker, state],
    )
  }
  if (!tables.has('stored_bundles')) return { storedBundles: 0, missingBundles: 0, note }
  const isHeld = 'exists (select from releases r where r.sha256 = b.sha256 and r.is_held)'
  // Nothing referred to these bundles when the backup was made. The lost database may have used the same bytes since, so their objects are
  // kept for now.
  await client.query(`delete from stored_bundles b where not exists (select from artifacts a where a.sha256 = b.sha256)
    ${tables.has('releases') ? `and not ${isHeld}` : ''} ${tables.has('stores') ? 'and b.adopted_at is null' : ''}`)
  const whole = [...listed].filter(([, { isWhole }]) => isWhole)
  const { rows } = await client.query<{ sha256: string }>(
    `update stored_bundles b set store = $3 from unnest($1::text[], $2::bigint[]) l (sum, bytes)
      where b.sha256 = l.sum and b.size_bytes = l.bytes and b.state = 'stored' returning b.sha256`,
    [whole.map(([sum]) => sum), whole.map(([, { sizeBytes }]) => sizeBytes), marker],
  )
  kept = rows.map(({ sha256 }) => sha256)
  await client.query(`update stored_bundles set state = 'missing', writer = null where sha256 <> all($1::text[])`, [
    kept,
  ])
  const { rowCount: missingBundles } = await client.query(
    `update artifacts set state = 'not_stored', reason = 'not_restored', detail = null
      where state = 'stored' and sha256 <> all($1::text[])`,
    [kept],
  )
  const { rows: counts } = await client.query<{ stored: number }>(
    `select count(*)::int as stored from artifacts where state = 'stored'`,
  )
  if (tables.has('stores')) await note()
  return { storedBundles: counts[0]!.stored, missingBundles: missingBundles ?? 0, note }
}
