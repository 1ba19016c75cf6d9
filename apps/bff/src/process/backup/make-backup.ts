import { createWriteStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createGzip } from 'node:zlib'
import { packTar, type TarSource } from 'modern-tar/fs'
import type { Client } from 'pg'
import { embeddedMigrationsTable, listAppliedMigrations, migrationLock } from '#ground/db/migrate.ts'
import { embeddedPrefix, listSequences, qualifyName, listTables } from './catalog.ts'
import { copyOut } from './copy-rows.ts'
import { copyDataFiles, openStaging } from './data-files.ts'
import { createEncryptStep, type EncryptTo } from './encryption.ts'
import {
  dataPrefix,
  formatNumber,
  type Manifest,
  manifestName,
  type SavedTable,
  nameTableFile,
  BackupRefused,
} from './manifest.ts'
import { type Place, withClient } from './database.ts'
import { writeSealed } from './sealed-file.ts'

/**
 * Tables that no backup includes. Sessions are short-lived and useful to a thief, so everybody signs in again after a restore. The files of
 * a build are written again at its start.
 */
export const leftOutTables: ReadonlySet<string> = new Set([
  'sessions',
  'sign_in_verifications',
  'sign_in_attempts',
  // Previews end with their sessions.
  'previews',
  'readers',
  'web_files',
  'store_processes',
  // These rows describe the backup target of this Docket.
  'backup_runs',
  // Running processes register again within seconds.
  `${embeddedPrefix}processes`,
])

const saveTables = async (
  client: Client,
  folder: string,
): Promise<Omit<Manifest, 'files' | 'docket' | 'madeAt' | 'store'> & { storeId: string | null }> => {
  // No migration may change a table between the snapshot and the locks; later ones wait for the locks.
  await client.query(`select pg_advisory_lock_shared(${migrationLock})`)
  const migrations = await listAppliedMigrations(client)
  if (migrations.length === 0) throw new BackupRefused('This database holds nothing of Docket.')
  const embeddedMigrations = await listAppliedMigrations(client, embeddedMigrationsTable)
  await client.query('begin isolation level repeatable read read only')
  const found = (await listTables(client)).filter(({ name }) => !leftOutTables.has(name))
  await client.query(`lock table ${found.map(({ name }) => qualifyName(name)).join(', ')} in access share mode`)
  await client.query(`select pg_advisory_unlock_shared(${migrationLock})`)
  const tables: SavedTable[] = []
  await mkdir(join(folder, 'tables'), { mode: 0o700 })
  for (const table of found) {
    const file = createWriteStream(join(folder, nameTableFile(table.name)), { mode: 0o600 })
    const measure = await copyOut(client, table, createGzip(), file)
    tables.push({ name: table.name, columns: table.columns, ...measure })
  }
  const sequences = await listSequences(client)
  const { rows } = await client.query<{ version: string }>(`select current_setting('server_version') as version`)
  const { rows: stores } = found.some(({ name }) => name === 'stores')
    ? await client.query<{ store: string }>('select store from stores order by seen_at desc limit 1')
    : { rows: [] }
  await client.query('commit')
  const storeId = stores[0]?.store ?? null
  return {
    format: formatNumber,
    postgres: rows[0]!.version,
    migrations,
    embeddedMigrations,
    tables,
    sequences,
    storeId,
  }
}

const packBackup = (manifest: Manifest, folder: string) => {
  const fixed = { mtime: new Date(manifest.madeAt), mode: 0o600, uid: 0, gid: 0, uname: '', gname: '' }
  const file = (target: string): TarSource => ({ type: 'file', source: join(folder, target), target, ...fixed })
  return packTar([
    { type: 'content', content: `${JSON.stringify(manifest, null, 2)}\n`, target: manifestName, ...fixed },
    ...manifest.tables.map(({ name }) => file(nameTableFile(name))),
    ...manifest.files.map(({ path }) => file(dataPrefix + path)),
  ])
}

/**
 * Writes one file with a consistent snapshot of all tables, even while Docket runs, and the files of the data folder. Needs disk space for
 * the file in both places. Throws `BackupRefused` and errors of the database or the disk, and then leaves no file.
 */
export const makeBackup = async (options: {
  place: Place
  file: string
  docket: string
  now: () => number
  /** Null for an unencrypted backup. */
  encryptTo: EncryptTo | null
  /** True when the instance secret is in the data folder. Only an encrypted backup contains it. */
  secretInFile: boolean
  /** Folder of stored bundles to include. Null for a backup without them. */
  artifacts?: string | null
  /** Settings that locate the store of bundles, without keys. */
  store?: Record<string, string>
}): Promise<Manifest> => {
  const { place, file, docket, now, encryptTo, secretInFile, artifacts = null, store: settings } = options
  if (await stat(file).catch(() => undefined)) throw new BackupRefused(`${file} exists already. Name another file.`)
  const encrypt = encryptTo === null ? null : createEncryptStep(encryptTo)
  const madeAt = new Date(now()).toISOString()
  const connection = { application_name: 'docket-backup', connectionTimeoutMillis: 10_000 }
  return withClient(place, connection, async (client) => {
    for (const folder of [dirname(file), place.dataDir]) await mkdir(folder, { recursive: true, mode: 0o700 })
    // Temporary files go to the data folder, because the destination may be meant for encrypted bytes only.
    const folder = await openStaging(place.dataDir)
    try {
      const { storeId: id, ...saved } = await saveTables(client, folder)
      // Copied after the tables, so that the files of every job in the tables exist.
      const withSecret = encrypt !== null && secretInFile
      const files = await copyDataFiles(place.dataDir, join(folder, 'data'), { withSecret, withArtifacts: artifacts })
      const store = settings === undefined ? null : { id, settings }
      const manifest = { ...saved, docket, madeAt, files, store }
      await writeSealed(file, packBackup(manifest, folder), encrypt)
      return manifest
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
}
