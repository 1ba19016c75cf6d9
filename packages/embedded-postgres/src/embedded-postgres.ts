import { execFile } from 'node:child_process'
import { mkdir, realpath, rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { findBinaries } from './binaries.ts'
import { ensureCluster, role } from './cluster.ts'
import { lockDataDir } from './data-dir-lock.ts'
import { EmbeddedPostgresUnavailable } from './errors.ts'
import { findRunAs, type RunAs, waysToRun } from './run-as.ts'
import type { PostgresLog } from './server.ts'
import { smallServer } from './settings.ts'
import { makeSocketDir, port } from './socket-dir.ts'
import { supervise } from './supervise.ts'

export { lockDataDir } from './data-dir-lock.ts'
export { DataDirInUse, EmbeddedPostgresUnavailable } from './errors.ts'
export { findRunningServer } from './server.ts'
export type { PostgresLog } from './server.ts'

/** Connection to the embedded server for `pg`: `host` is the folder of its unix socket. */
export type EmbeddedConnection = { host: string; port: number; user: string; database: string }

/** Options of the embedded server. `settings` overrides PostgreSQL settings; tests trade durability for speed there. */
export type EmbeddedPostgresOptions = {
  dataDir: string
  log?: PostgresLog
  settings?: Readonly<Record<string, string>>
  /** Ways to run it, best first; by default all that this machine may offer. */
  ways?: readonly RunAs[]
  /** Wait for a Docket that is stopping and still has the directory. Milliseconds. */
  lockWaitMs?: number
}

const silent: PostgresLog = { debug: () => {}, warn: () => {}, error: () => {} }

/** Version of the embedded server, such as `18.1`. Errors: `EmbeddedPostgresUnavailable`, and when it does not run. */
export const embeddedVersion = async (): Promise<string> => {
  const { stdout } = await promisify(execFile)((await findBinaries()).postgres, ['--version'], { timeout: 5_000 })
  return stdout.replace('postgres (PostgreSQL)', '').trim()
}

const makeDataDir = async (dataDir: string): Promise<string> => {
  try {
    // Sets the mode of a new folder only: an existing one may be shared on purpose. The cluster inside is always 0700.
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    return await realpath(dataDir)
  } catch (error) {
    throw new EmbeddedPostgresUnavailable(`DATA_DIR ${dataDir} cannot be made or read`, error)
  }
}

/**
 * Starts PostgreSQL on `<dataDir>/postgres`, creates it at the first start, and keeps it running until `stop`. Listens on a private unix
 * socket only, writes durably, and first stops what a killed predecessor left running. Errors: `DataDirInUse`,
 * `EmbeddedPostgresUnavailable`. `stop` of the result ends it and gives the data directory free; calling it again does nothing.
 */
export const startEmbeddedPostgres = async (options: EmbeddedPostgresOptions) => {
  const { log = silent, settings = {}, ways = waysToRun(), lockWaitMs = 2_000 } = options
  const binaries = await findBinaries()
  const dataDir = await makeDataDir(options.dataDir)
  const runAs = await findRunAs(binaries.postgres, dataDir, ways)
  log.debug(`postgres: runs this way: ${runAs.name}`)
  const unlock = await lockDataDir(dataDir, lockWaitMs)
  let socketDir: string | undefined
  const letGo = async (): Promise<void> => {
    if (socketDir !== undefined) await rm(socketDir, { recursive: true, force: true })
    unlock()
  }
  try {
    const directory = await ensureCluster(binaries, runAs, dataDir)
    socketDir = await makeSocketDir(dataDir, runAs.owner)
    const server = await supervise({
      postgres: binaries.postgres,
      runAs,
      directory,
      socketDir,
      settings: { ...smallServer, ...settings },
      log,
    })
    let stopped: Promise<void> | undefined
    return {
      connection: { host: socketDir, port, user: role, database: 'postgres' },
      stop: () => (stopped ??= server.stop().finally(letGo)),
    }
  } catch (error) {
    await letGo()
    throw error
  }
}
