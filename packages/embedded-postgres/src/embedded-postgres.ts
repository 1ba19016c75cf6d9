import { mkdir, realpath, rm } from 'node:fs/promises'
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

/** How to reach the embedded server with `pg`: `host` is the folder of its unix socket. */
export type EmbeddedConnection = { host: string; port: number; user: string; database: string }

/** A running embedded PostgreSQL. `stop` ends it and gives the data directory free; calling it again does nothing. */
export type EmbeddedPostgres = { connection: EmbeddedConnection; stop(): Promise<void> }

/** Where the embedded server lives. `settings` adds to or replaces PostgreSQL settings; tests trade durability for speed there. */
export type EmbeddedPostgresOptions = {
  dataDir: string
  log?: PostgresLog
  settings?: Readonly<Record<string, string>>
  /** Ways to run it, best first; all that this machine may offer unless told. */
  ways?: readonly RunAs[]
  /** How long to wait for another Docket that is just letting go of the directory. */
  lockWaitMs?: number
}

const silent: PostgresLog = { debug: () => {}, warn: () => {}, error: () => {} }

const makeDataDir = async (dataDir: string): Promise<string> => {
  try {
    // Only a folder made here gets its mode: an existing one may be shared on purpose. The cluster inside is always 0700.
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    return await realpath(dataDir)
  } catch (error) {
    throw new EmbeddedPostgresUnavailable(`DATA_DIR ${dataDir} cannot be made or read`, error)
  }
}

/**
 * Starts PostgreSQL on `<dataDir>/postgres`, creating it at the first start, and keeps it running until `stop`. It listens on
 * a private unix socket only and writes durably. What a killed predecessor left running is stopped first.
 * Errors: `DataDirInUse`, `EmbeddedPostgresUnavailable`.
 */
export const startEmbeddedPostgres = async (options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> => {
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
