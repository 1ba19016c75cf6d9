import { createWriteStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createGzip } from 'node:zlib'
import { packTar, type TarSource } from 'modern-tar/fs'
import { Client } from 'pg'
import { migrationLock } from '#db/migrate.ts'
import { appliedMigrations, quoted, sequencesOf, settle, tablesOf } from './catalog.ts'
import { copyOut } from './copy-rows.ts'
import { copyDataFiles, openStaging } from './data-files.ts'
import { encrypting, type EncryptTo } from './encryption.ts'
import { dataPrefix, formatNumber, type Manifest, manifestName, type SavedTable, tableFile } from './manifest.ts'
import { type Place, reachForBackup } from './reach.ts'
import { BackupRefused } from './refused.ts'
import { writeSealed } from './sealed-file.ts'

/** Of a moment, and worth something to a thief: whoever is signed in signs in again after a restore. */
export const leftOutTables: ReadonlySet<string> = new Set(['sessions', 'sign_in_verifications', 'sign_in_attempts'])

const saveTables = async (client: Client, folder: string): Promise<Omit<Manifest, 'files' | 'docket' | 'madeAt'>> => {
  await settle(client)
  // Between the snapshot and the locks no migration may change a table; later ones wait for the locks.
  await client.query(`select pg_advisory_lock_shared(${migrationLock})`)
  const migrations = await appliedMigrations(client)
  if (migrations.length === 0) throw new BackupRefused('This database holds nothing of Docket.')
  await client.query('begin isolation level repeatable read read only')
  const found = (await tablesOf(client)).filter(({ name }) => !leftOutTables.has(name))
  await client.query(`lock table ${found.map(({ name }) => `public.${quoted(name)}`).join(', ')} in access share mode`)
  await client.query(`select pg_advisory_unlock_shared(${migrationLock})`)
  const tables: SavedTable[] = []
  await mkdir(join(folder, 'tables'), { mode: 0o700 })
  for (const table of found) {
    const file = createWriteStream(join(folder, tableFile(table.name)), { mode: 0o600 })
    const measure = await copyOut(client, table, createGzip(), file)
    tables.push({ name: table.name, columns: table.columns, ...measure })
  }
  const sequences = await sequencesOf(client)
  const { rows } = await client.query<{ version: string }>(`select current_setting('server_version') as version`)
  await client.query('commit')
  return { format: formatNumber, postgres: rows[0]!.version, migrations, tables, sequences }
}

const pack = (manifest: Manifest, folder: string) => {
  const fixed = { mtime: new Date(manifest.madeAt), mode: 0o600, uid: 0, gid: 0, uname: '', gname: '' }
  const file = (target: string): TarSource => ({ type: 'file', source: join(folder, target), target, ...fixed })
  return packTar([
    { type: 'content', content: `${JSON.stringify(manifest, null, 2)}\n`, target: manifestName, ...fixed },
    ...manifest.tables.map(({ name }) => file(tableFile(name))),
    ...manifest.files.map(({ path }) => file(dataPrefix + path)),
  ])
}

/**
 * Writes everything that a Docket knows into one file: its tables as they are at one moment, also while it runs, and the files of its data
 * folder. Needs room for the file at its destination and in the data folder. Errors: `BackupRefused`, and what the database or the disk says; then there is no file.
 */
export const makeBackup = async (options: {
  place: Place
  file: string
  /** Version of this Docket. */
  docket: string
  now: () => number
  /** Null: not encrypted. */
  encryptTo: EncryptTo | null
  /** Whether the instance secret is in the data folder. Only an encrypted backup holds it. */
  secretInFile: boolean
}): Promise<Manifest> => {
  const { place, file, docket, now, encryptTo, secretInFile } = options
  if (await stat(file).catch(() => undefined)) throw new BackupRefused(`${file} exists already. Name another file.`)
  const encrypt = encryptTo === null ? null : encrypting(encryptTo)
  const madeAt = new Date(now()).toISOString()
  await using ending = new AsyncDisposableStack()
  const { config, close } = await reachForBackup(place)
  ending.defer(close)
  for (const folder of [dirname(file), place.dataDir]) await mkdir(folder, { recursive: true, mode: 0o700 })
  // Beside the data itself: the destination may be a place for encrypted bytes only.
  const folder = await openStaging(place.dataDir)
  ending.defer(() => rm(folder, { recursive: true, force: true }))
  const client = new Client({ application_name: 'docket-backup', connectionTimeoutMillis: 10_000, ...config })
  client.on('error', () => {})
  ending.defer(() => client.end().catch(() => {}))
  await client.connect()
  const saved = await saveTables(client, folder)
  // After the tables: a job that a row names is there then.
  const withSecret = encrypt !== null && secretInFile
  const files = await copyDataFiles(place.dataDir, join(folder, 'data'), { withSecret })
  const manifest = { ...saved, docket, madeAt, files }
  await writeSealed(file, pack(manifest, folder), encrypt)
  return manifest
}
