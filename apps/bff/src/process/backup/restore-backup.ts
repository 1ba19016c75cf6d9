import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join, dirname } from 'node:path'
import { createGunzip } from 'node:zlib'
import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createDiskStorage } from '@docket/artifact-store/local-disk/disk-storage'
import type { ObjectStorage } from '@docket/artifact-store/object-storage'
import { lockDataDir } from '@docket/embedded-postgres'
import type { Client } from 'pg'
import { type Secrets, readSecretsInFolder } from '#ground/secret/secrets.ts'
import { PostgresClient } from '#ground/db/client.ts'
import { listKnownEmbeddedMigrations, listKnownMigrations, migrateDatabase, migrationLock } from '#ground/db/migrate.ts'
import { listTables, qualifyName, prepareSession } from './catalog.ts'
import { copyIn, copyOut, createNullSink, withoutIndexes } from './copy-rows.ts'
import type { OpenWith } from './encryption.ts'
import { artifactFolder, isDataFile } from './data-files.ts'
import {
  type AppliedMigration,
  dataPrefix,
  type Manifest,
  type SavedTable,
  nameTableFile,
  BackupRefused,
} from './manifest.ts'
import { refuseUnlessFresh } from './fresh.ts'
import { type Place, openForRestore } from './database.ts'
import { type Entry, readBackup } from './sealed-file.ts'
import { refuseOtherStore, type RestoreStore, settleBundles } from './restored-bundles.ts'
import { forgetSecret } from '#ground/secret/forget-secret.ts'
import { belongsToDatabase, readKnownInstance } from '#ground/secret/right-secret.ts'
import { syncToDisk } from '#ground/data-folder.ts'

const ignoreMissing = (error: NodeJS.ErrnoException) => {
  if (error.code !== 'ENOENT') throw error
  return false
}

const listNames = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])

/** Collects the files in the same folder, so that `keep` can rename them. */
const createDataFiles = (dataDir: string) => {
  const collected = join(dataDir, 'restore.new')
  return {
    /** Refuses a folder that the embedded Admin API has used. */
    refuseUnlessFresh: async () => {
      // Leftover of a killed restore.
      await rm(collected, { recursive: true, force: true })
      const jobs = ['static-exports/jobs', 'agent-jobs'].map((folder) => join(dataDir, 'local-admin-api', folder))
      for (const folder of jobs)
        if ((await listNames(folder)).length > 0)
          throw new BackupRefused(
            `The embedded Admin API has jobs in ${folder}. A restore overwrites nothing: name a DATA_DIR that does not exist. Nothing was changed.`,
          )
    },
    take: async (path: string, sizeBytes: number, content: Readable) => {
      if (!isDataFile(path))
        throw new BackupRefused(`The backup holds a file that belongs to none of Docket's places: ${path}.`)
      const file = join(collected, path)
      await mkdir(dirname(file), { recursive: true, mode: 0o700 })
      await pipeline(content, createWriteStream(file, { mode: 0o600, flush: true }))
      if ((await stat(file)).size !== sizeBytes) throw new BackupRefused(`The backup holds only a part of ${path}.`)
    },
    /** Secrets among the files; `current` is null when the backup has none. */
    secrets: () => readSecretsInFolder(collected),
    /** Moves bundles of the backup into their store, unless the store already has them. */
    moveBundles: async (files: Manifest['files'], storage: ObjectStorage) => {
      const folder = `${artifactFolder}/`
      for (const { path, sizeBytes } of files) {
        const key = path.startsWith(folder) ? path.slice(folder.length) : '.'
        if (/(^|\/)\./.test(key) || (await storage.readSize(key)) === sizeBytes) continue
        await storage.put(key, join(collected, path))
      }
      await rm(join(collected, artifactFolder), { recursive: true, force: true })
    },
    /** Renames existing files, which may be newer than the backup or the only copy of a secret. Returns their new names. */
    keep: async (): Promise<string[]> => {
      const ending = `.replaced-${new Date().toISOString().replaceAll(':', '')}`
      const replaced: string[] = []
      for (const name of await listNames(collected)) {
        const place = join(dataDir, name)
        const isThere = await rename(place, place + ending).then(() => true, ignoreMissing)
        if (isThere) replaced.push(name + ending)
        await rename(join(collected, name), place)
      }
      await syncToDisk(dataDir)
      return replaced
    },
    clean: () => rm(collected, { recursive: true, force: true }),
  }
}

type DataFiles = ReturnType<typeof createDataFiles>

/**
 * Lets the restored Docket start with the secret it will find. Without the right one, `withoutSecret` removes second factors, which it
 * could not decrypt. Returns how many it removed, and whether the secret is another one. Throws `BackupRefused`.
 */
const settleSecret = async (
  client: Client,
  { secrets, withoutSecret }: { secrets: Secrets; withoutSecret: boolean },
): Promise<{ removedSecondFactors: number; isSecretLost: boolean }> => {
  const known = await readKnownInstance(client)
  // A backup of an earlier version contains the secret, and the next start moves it out.
  if (known === null || known.secretCheck === null || belongsToDatabase(known, secrets))
    return { removedSecondFactors: 0, isSecretLost: false }
  const { rows } = await client.query<{ found: number }>('select count(*)::int as found from two_factors')
  const found = rows[0]!.found
  if (found > 0 && !withoutSecret)
    throw new BackupRefused(
      `The backup holds second factors (${found}), and ${secrets.current === null ? 'the instance secret that opens them is not here' : `the secret in ${secrets.from} does not open them`}. Set the AUTH_SECRET of the Docket that was backed up, or copy its docket.secret into DATA_DIR, and restore again. If it is lost, restore with --without-secret: these people then sign in with their password alone and set up their app again. Nothing was restored.`,
    )
  return { removedSecondFactors: await forgetSecret(client), isSecretLost: true }
}

const refuseForeign = (migrations: readonly AppliedMigration[], known: readonly AppliedMigration[]): void => {
  if (migrations.every(({ hash }, index) => known[index]?.hash === hash)) return
  const newest = Math.max(...known.map(({ createdAt }) => createdAt))
  if (migrations.some(({ createdAt }) => createdAt > newest))
    throw new BackupRefused(
      'The backup was made by a newer Docket than this one. Restore it with that version. Nothing was changed.',
    )
  throw new BackupRefused(
    'The tables of the backup are not those of this version or an earlier one. Restore it with the version that made it. Nothing was changed.',
  )
}

const isSameMeasure = (one: { rows: number; sha256: string }, other: { rows: number; sha256: string }): boolean =>
  one.rows === other.rows && one.sha256 === other.sha256

const loadTable = async (client: Client, saved: SavedTable, { name, content }: Entry): Promise<void> => {
  if (name !== nameTableFile(saved.name))
    throw new BackupRefused(`The backup holds ${name} where ${saved.name} should be.`)
  if (!isSameMeasure(saved, await copyIn(client, saved, content, createGunzip())))
    throw new BackupRefused(`What the backup holds of ${saved.name} is not what was written into it.`)
}

const loadTables = async (
  client: Client,
  { tables, sequences }: Manifest,
  entries: AsyncGenerator<Entry>,
): Promise<void> => {
  const targets = await listTables(client)
  const missing = tables.filter(({ name }) => !targets.some((target) => target.name === name))
  if (missing.length > 0)
    throw new BackupRefused(
      `The backup holds tables that are none of Docket's: ${missing.map(({ name }) => name).join(', ')}. Docket needs a database of its own.`,
    )
  const all = tables.map(({ name }) => qualifyName(name))
  // The backup includes the columns that triggers maintain, such as the counts of a list.
  for (const table of all) await client.query(`alter table ${table} disable trigger user`)
  await client.query(`truncate ${targets.map(({ name }) => qualifyName(name)).join(', ')}`)
  const loading = async () => {
    for (const saved of tables) {
      const { value: entry, done } = await entries.next()
      if (done === true) throw new BackupRefused(`The backup ends before ${saved.name}.`)
      await loadTable(client, saved, entry)
    }
  }
  await withoutIndexes(
    client,
    tables.map(({ name }) => name),
    loading,
  )
  for (const { name, last, called } of sequences)
    await client.query('select setval($1::regclass, $2::bigint, $3)', [qualifyName(name), last, called])
  for (const saved of tables) {
    const { key } = targets.find(({ name }) => name === saved.name)!
    if (!isSameMeasure(saved, await copyOut(client, { ...saved, key }, ...createNullSink())))
      throw new BackupRefused(`What arrived in ${saved.name} is not what the backup holds. Nothing was changed.`)
  }
  // Ends every lease, so these records are due now and a pending start becomes an unknown outcome.
  for (const { name, columns } of tables.filter((table) => table.columns.includes('lease_owner')))
    await client.query(
      `update ${qualifyName(name)} set lease_owner = null, lease_until = null${columns.includes('next_check_at') ? ', next_check_at = least(next_check_at, now())' : ''} where lease_owner is not null`,
    )
  for (const table of all) await client.query(`alter table ${table} enable trigger user`)
}

const takeFiles = async (files: DataFiles, manifest: Manifest, entries: AsyncGenerator<Entry>): Promise<void> => {
  const expected = new Map(manifest.files.map(({ path, sizeBytes }) => [dataPrefix + path, sizeBytes]))
  for await (const { name, content } of entries) {
    const sizeBytes = expected.get(name)
    if (sizeBytes === undefined) throw new BackupRefused(`The backup holds ${name}, which it does not list.`)
    await files.take(name.slice(dataPrefix.length), sizeBytes, content)
    expected.delete(name)
  }
  if (expected.size > 0) throw new BackupRefused('The backup holds fewer files than it lists.')
}

type ForUse = {
  /** Secrets that Docket would find here now. */
  secrets: Secrets
  /** Removes second factors that no secret decrypts. */
  withoutSecret: boolean
  store?: RestoreStore
}

/** Changes data that a restored Docket must not find as it was in the backup. */
const prepareForUse = async (
  client: Client,
  { files, manifest, storage }: { files: DataFiles; manifest: Manifest; storage: ObjectStorage },
  { secrets, withoutSecret }: ForUse,
) => {
  const carried = await files.secrets()
  const found = secrets.keep !== null && carried.current !== null ? carried : secrets
  const secret = await settleSecret(client, { secrets: found, withoutSecret })
  await files.moveBundles(manifest.files, storage)
  return { ...secret, ...(await settleBundles(client, storage, manifest.store?.id)) }
}

/** A trial restore: nothing is changed, and `check` sees the migrated tables. `signal` ends it. */
type Rehearsal = { rehearsal: { check: (client: Client, manifest: Manifest) => Promise<void>; signal: AbortSignal } }

const nothingChanged = { removedSecondFactors: 0, isSecretLost: false, storedBundles: 0, missingBundles: 0 }

/**
 * Restores a backup into an empty Docket and migrates it to this version, all of it or nothing. The counts are of exports whose bundle is or
 * is not in the store; `replaced` has the new names of files that existed before. Throws `BackupRefused`, `DataDirInUse`, and errors of the
 * database or the disk.
 */
export const restoreBackup = async (
  options: {
    place: Place
    file: string
    openWith: OpenWith | null
  } & (ForUse | Rehearsal),
) => {
  const { place, file, openWith } = options
  const rehearsal = 'rehearsal' in options ? options.rehearsal : null
  const { manifest, entries } = await readBackup(file, openWith)
  refuseForeign(manifest.migrations, listKnownMigrations())
  refuseForeign(manifest.embeddedMigrations, listKnownEmbeddedMigrations())
  const own = { storage: createDiskStorage(join(place.dataDir, artifactFolder)), settings: {}, withoutStore: false }
  const store = ('store' in options && options.store) || own
  if (rehearsal === null) await refuseOtherStore(manifest, store)
  await mkdir(place.dataDir, { recursive: true, mode: 0o700 })
  const unlock = place.databaseUrl === null ? () => {} : await lockDataDir(place.dataDir, 0)
  const { config, close } = await openForRestore(place)
  const client = new PostgresClient({ application_name: 'docket-restore', connectionTimeoutMillis: 10_000, ...config })
  const interrupt = () => void client.end().catch(() => {})
  rehearsal?.signal.addEventListener('abort', interrupt, { once: true })
  const files = createDataFiles(place.dataDir)
  try {
    rehearsal?.signal.throwIfAborted()
    await client.connect()
    await prepareSession(client)
    await files.refuseUnlessFresh()
    await refuseUnlessFresh(client, manifest)
    await migrateDatabase(config, {
      only: manifest.migrations.length,
      onlyEmbedded: manifest.embeddedMigrations.length,
    })
    // If Docket starts now, it waits for this lock until the restore ends.
    await client.query(`select pg_advisory_lock(${migrationLock})`)
    await client.query('begin')
    await refuseUnlessFresh(client, manifest)
    await loadTables(client, manifest, entries)
    await takeFiles(files, manifest, entries)
    const { note, ...changed } =
      'rehearsal' in options
        ? { ...nothingChanged, note: async () => {} }
        : await prepareForUse(client, { files, manifest, storage: store.storage }, options)
    const replaced = await files.keep()
    await client.query('commit')
    await client.query(`select pg_advisory_unlock(${migrationLock})`)
    await migrateDatabase(config)
    await note()
    // Without fresh statistics, the database would plan the first queries for empty tables.
    await client.query('analyze')
    await rehearsal?.check(client, manifest)
    return { manifest, ...changed, replaced }
  } finally {
    await entries.return(undefined).catch(() => {})
    await files.clean()
    await client.end().catch(() => {})
    await close()
    unlock()
  }
}
