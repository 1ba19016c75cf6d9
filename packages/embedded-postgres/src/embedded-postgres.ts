import { execFile } from 'node:child_process'
import { mkdir, realpath, rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { findBinaries } from './binaries.ts'
import { ensureCluster, role } from './cluster.ts'
import { EmbeddedPostgresUnavailable, DataDirInUse } from './errors.ts'
import { findRunAs, type RunAs, listWaysToRun } from './run-as.ts'
import { type PostgresLog, startServer, type Server, type ServerOptions, smallServer } from './server.ts'
import { makeSocketDir, port } from './socket-dir.ts'
import { stopSurvivors } from './survivors.ts'

export { DataDirInUse, EmbeddedPostgresUnavailable } from './errors.ts'
export { findRunningServer } from './server.ts'
export type { EmbeddedConnection, PostgresLog } from './server.ts'

/** `settings` overrides PostgreSQL settings; tests trade durability for speed there. */
export type EmbeddedPostgresOptions = {
  dataDir: string
  log?: PostgresLog
  settings?: Readonly<Record<string, string>>
  /** Ways to run it, best first. Default: all that this machine may support. */
  ways?: readonly RunAs[]
  /** How long to wait for a stopping Docket that still has the directory. Milliseconds. */
  lockWaitMs?: number
}

const silent: PostgresLog = { debug: () => {}, warn: () => {}, error: () => {} }

/** Version of PostgreSQL, such as `18.1`. Rejects with `EmbeddedPostgresUnavailable`, or when the program cannot be run. */
export const readEmbeddedVersion = async (): Promise<string> => {
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
  const { log = silent, settings = {}, ways = listWaysToRun(), lockWaitMs = 2_000 } = options
  const binaries = await findBinaries()
  const dataDir = await makeDataDir(options.dataDir)
  const runAs = await findRunAs(binaries.postgres, dataDir, ways)
  log.debug(`postgres: runs this way: ${runAs.name}`)
  const unlock = await lockDataDir(dataDir, lockWaitMs)
  let socketDir: string | undefined
  const release = async (): Promise<void> => {
    if (socketDir !== undefined) await rm(socketDir, { recursive: true, force: true })
    unlock()
  }
  try {
    const directory = await ensureCluster(binaries, runAs, dataDir)
    socketDir = await makeSocketDir(dataDir, runAs.owner)
    const server = await superviseServer({
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
      stop: () => (stopped ??= server.stop().finally(release)),
    }
  } catch (error) {
    await release()
    throw error
  }
}

const sqliteBusy = 5

// Uses the lock of a SQLite file. The operating system releases it when the process ends for any reason, so it is never
// stale. Process ids would mean nothing between containers that share a volume, and Node has no lock call.
const tryLock = (path: string): DatabaseSync | undefined => {
  const lock = new DatabaseSync(path)
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive')
    return lock
  } catch (error) {
    lock.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return undefined
    throw error
  }
}

/** Locks the directory, and returns a function that unlocks it. Waits `waitMs` for a stopping process. Throws `DataDirInUse`. */
export const lockDataDir = async (dataDir: string, waitMs: number): Promise<() => void> => {
  const path = join(dataDir, 'docket.lock')
  const deadline = Date.now() + waitMs
  for (;;) {
    const lock = tryLock(path)
    if (lock !== undefined) return () => lock.close()
    if (Date.now() >= deadline) throw new DataDirInUse(dataDir)
    await sleep(50)
  }
}

const maxPauseMs = 30_000
const steadyAfterMs = 60_000

/** Restarts an ended server on the same socket: at once, then after pauses that double up to 30 s. Rejects when the first start fails. */
const superviseServer = async (options: ServerOptions): Promise<{ stop(): Promise<void> }> => {
  const stopping = new AbortController()
  const start = async (): Promise<Server> => {
    await stopSurvivors(options.directory)
    return startServer(options)
  }
  let server = await start()
  let startedAt = performance.now()
  let failures = 0

  const again = async (): Promise<void> => {
    if (performance.now() - startedAt > steadyAfterMs) failures = 0
    const pauseMs = failures === 0 ? 0 : Math.min(maxPauseMs, 250 * 2 ** failures)
    failures += 1
    await sleep(pauseMs, undefined, { signal: stopping.signal })
    startedAt = performance.now()
    server = await start()
    options.log.warn('The embedded PostgreSQL runs again.')
  }

  const keepRunning = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await server.ended
      if (stopping.signal.aborted) return
      options.log.error('The embedded PostgreSQL ended unexpectedly; starting it again.')
      await again().catch((error: unknown) => {
        if (!stopping.signal.aborted) options.log.error(error instanceof Error ? error.message : String(error))
      })
    }
  }
  const loop = keepRunning()

  return {
    stop: async () => {
      stopping.abort()
      await server.stop()
      await loop
      // A concurrent restart may have replaced the server.
      await server.stop()
    },
  }
}
