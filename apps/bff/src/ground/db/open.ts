import type { PostgresLog } from '@docket/embedded-postgres'
import { drizzle } from 'drizzle-orm/node-postgres'
import type { Client, PoolConfig } from 'pg'
import { waitUntilDatabaseAnswers } from '#ground/db/connect.ts'
import { migrateDatabase } from '#ground/db/migrate.ts'
import { openPool, probePool } from '#ground/db/pool.ts'
import { inspectPooler } from '#ground/db/pooler.ts'

/** Which database to open: `databaseUrl`, or without one the embedded one in `dataDir`. */
export type OpenDatabaseOptions = {
  databaseUrl?: string | undefined
  /** Address of the same database without a pooler in transaction mode, for migrations. */
  directUrl?: string | undefined
  dataDir: string
  log: PostgresLog
  /** Maximum wait for the database of `databaseUrl` at start. Milliseconds. */
  startTimeoutMs?: number
  /** Inspects the database before its tables change. May throw to refuse it. */
  beforeMigration?: (client: Client) => Promise<void>
  pool?: Pick<PoolConfig, 'max' | 'connectionTimeoutMillis' | 'statement_timeout' | 'query_timeout'>
}

const connectDatabase = async (options: OpenDatabaseOptions) => {
  const { databaseUrl, directUrl, dataDir, log, startTimeoutMs = 30_000 } = options
  if (databaseUrl !== undefined) {
    const config = await waitUntilDatabaseAnswers(databaseUrl, startTimeoutMs, log)
    const direct =
      directUrl === undefined
        ? undefined
        : await waitUntilDatabaseAnswers(directUrl, startTimeoutMs, log, { name: 'DATABASE_DIRECT_URL' })
    const from = await inspectPooler(config, { direct, warn: log.warn.bind(log) })
    return { kind: 'external' as const, config, direct: direct ?? config, from, stop: () => Promise.resolve() }
  }
  const { startEmbeddedPostgres } = await import('@docket/embedded-postgres')
  const { connection, stop } = await startEmbeddedPostgres({ dataDir, log })
  return { kind: 'embedded' as const, config: connection, direct: connection, from: 'session' as const, stop }
}

/**
 * Opens Docket's database and migrates it. When the database becomes unavailable later, queries fail with errors that
 * `isDatabaseUnavailable` recognizes, and work again without a restart once it is available. Throws `DatabaseUnreachable`,
 * `DatabaseTooNew`, `DatabaseForeign`, `DataDirInUse`, `EmbeddedPostgresUnavailable`; none contains a password.
 */
export const openDatabase = async (options: OpenDatabaseOptions) => {
  const { kind, config, direct, from, stop } = await connectDatabase(options)
  try {
    await migrateDatabase(direct, { before: options.beforeMigration, warn: options.log.warn.bind(options.log) })
  } catch (error) {
    await stop()
    throw error
  }
  const pool = openPool({ ...config, ...options.pool }, options.log, from)
  const probes = openPool({ ...config, ...probePool }, options.log, from)
  let closed: Promise<void> | undefined
  return {
    db: drizzle(pool),
    /** Separate connections for probes and metrics, which must respond while all others are busy. */
    probes: drizzle(probes),
    kind,
    /** Waits for running queries, then ends the connections and the embedded server. */
    close: () => (closed ??= Promise.all([pool.end(), probes.end()]).then(stop, stop)),
  }
}
