import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { role } from './cluster.ts'
import { EmbeddedPostgresUnavailable } from './errors.ts'
import { type RunAs, spawnAs } from './run-as.ts'

/** `host` is the folder of the unix socket. */
export type EmbeddedConnection = { host: string; port: number; user: string; database: string }

export type PostgresLog = { debug(message: string): void; warn(message: string): void; error(message: string): void }

export type ServerOptions = {
  postgres: string
  runAs: RunAs
  directory: string
  socketDir: string
  settings: Readonly<Record<string, string>>
  log: PostgresLog
}

// After a crash it replays its log first; that is bounded by max_wal_size and takes seconds.
const readyWithinMs = 120_000

const isReady = async (child: ChildProcess, directory: string): Promise<boolean> => {
  const lines = (await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  return Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready'
}

/** Throws `EmbeddedPostgresUnavailable` with the last output of the server. */
export const startServer = async (options: ServerOptions) => {
  const { postgres, runAs, directory, socketDir, settings, log } = options
  const all = { ...settings, unix_socket_directories: socketDir }
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawnAs(runAs, postgres, ['-D', directory, ...flags])
  let stopping = false
  const lastLines: string[] = []
  createInterface({ input: child.stderr! }).on('line', (line) => {
    lastLines.push(line.trim())
    if (lastLines.length > 5) lastLines.shift()
    if (!stopping && /\b(FATAL|PANIC|WARNING)\b/.test(line)) log.warn(`postgres: ${line}`)
    else log.debug(`postgres: ${line}`)
  })
  let running = true
  const ended = once(child, 'close').then(
    () => void (running = false),
    (error: unknown) => {
      running = false
      lastLines.push(String(error))
    },
  )
  const endedWithin = (ms: number) => Promise.race([ended, sleep(ms, undefined, { ref: false })])
  const stop = async (): Promise<void> => {
    stopping = true
    // Fast shutdown, then without a checkpoint (the next start replays the log), then by force.
    for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
      if (!running) return
      child.kill(signal)
      await endedWithin(10_000)
    }
  }
  const deadline = Date.now() + readyWithinMs
  while (running && Date.now() < deadline) {
    if (await isReady(child, directory)) return { ended, stop }
    await endedWithin(5)
  }
  await stop()
  throw new EmbeddedPostgresUnavailable(`the server did not start (${lastLines.join(' ') || 'it said nothing'})`)
}

/** `ended` resolves when the process ends for any reason. */
export type Server = Awaited<ReturnType<typeof startServer>>

/** Undefined unless the server is ready. It may stop at any moment. */
export const findRunningServer = async (dataDir: string): Promise<EmbeddedConnection | undefined> => {
  const content = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')
  const [, , , port, host, , , state] = content.split('\n').map((line) => line.trim())
  if (state !== 'ready' || host === undefined || host === '') return undefined
  return { host, port: Number(port), user: role, database: 'postgres' }
}

/** Durability is untouched: `fsync`, `full_page_writes` and `synchronous_commit` keep their default, on. */
export const smallServer: Readonly<Record<string, string>> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '40',
  shared_buffers: '24MB',
  work_mem: '4MB',
  maintenance_work_mem: '16MB',
  wal_buffers: '1MB',
  min_wal_size: '32MB',
  max_wal_size: '256MB',
  // One server without replicas needs the shortest log, and no replication processes.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  max_worker_processes: '2',
  max_parallel_workers: '0',
  autovacuum_max_workers: '1',
  io_method: 'sync',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '',
  // Failed statements reach Docket as errors; here they would be noise, and their values would reach the log.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
}
