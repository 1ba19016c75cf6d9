import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findRunningServer, DataDirInUse, startEmbeddedPostgres } from '@docket/embedded-postgres'
import type { Client, ClientConfig } from 'pg'
import { PostgresClient } from '#ground/db/client.ts'
import { waitUntilDatabaseAnswers } from '#ground/db/connect.ts'
import { prepareSession } from './catalog.ts'
import { BackupRefused } from './manifest.ts'

/** Location of a database: `databaseUrl`, or without it the embedded database in `dataDir`. */
export type Place = { databaseUrl: string | null; dataDir: string }

/** A database that answers. `close` leaves it as it was. */
export type Reached = { config: ClientConfig; close: () => Promise<void> }

const startWithinMs = 10_000
const silent = { debug: () => {}, warn: () => {}, error: () => {} }

const openExternal = async (databaseUrl: string): Promise<Reached> => {
  const config = await waitUntilDatabaseAnswers(databaseUrl, startWithinMs, silent, { reads: true })
  return { config, close: () => Promise.resolve() }
}

const pathExists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Opens a database for reading: connects to that of a running Docket, or else starts it until `close`. Throws `BackupRefused`. */
export const openForBackup = async ({ databaseUrl, dataDir }: Place): Promise<Reached> => {
  if (databaseUrl !== null) return openExternal(databaseUrl)
  if (!(await pathExists(join(dataDir, 'postgres', 'PG_VERSION'))))
    throw new BackupRefused(`There is no database in ${dataDir}. Set DATA_DIR or DATABASE_URL as for Docket itself.`)
  // A Docket may just be starting or stopping.
  const deadline = performance.now() + startWithinMs
  for (;;) {
    try {
      const { connection, stop } = await startEmbeddedPostgres({ dataDir, lockWaitMs: 0 })
      return { config: connection, close: stop }
    } catch (error) {
      if (!(error instanceof DataDirInUse)) throw error
    }
    const running = await findRunningServer(dataDir)
    if (running !== undefined) return { config: running, close: () => Promise.resolve() }
    if (performance.now() > deadline)
      throw new BackupRefused(`A Docket has ${dataDir}, and its database does not answer. Try again in a moment.`)
    await delay(100)
  }
}

/** Opens a database as `openForBackup` does, for `work` on one connection. Throws `BackupRefused`. */
export const withClient = async <T>(
  place: Place,
  options: ClientConfig,
  work: (client: Client) => Promise<T>,
): Promise<T> => {
  await using ending = new AsyncDisposableStack()
  const { config, close } = await openForBackup(place)
  ending.defer(close)
  const client = new PostgresClient({ ...options, ...config })
  ending.defer(() => client.end().catch(() => {}))
  await client.connect()
  await prepareSession(client)
  return await work(client)
}

/** Opens a database exclusively for a restore. Throws `DataDirInUse`. */
export const openForRestore = async ({ databaseUrl, dataDir }: Place): Promise<Reached> => {
  if (databaseUrl !== null) return openExternal(databaseUrl)
  const { connection, stop } = await startEmbeddedPostgres({ dataDir })
  return { config: connection, close: stop }
}
