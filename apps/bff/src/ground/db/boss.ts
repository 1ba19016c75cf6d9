import type { PgBoss } from 'pg-boss'
import manifest from 'pg-boss/package.json' with { type: 'json' }
import { schemas } from '#ground/db/schemas.ts'

export const eventQueue = 'docket-events'

export const recordQueue = {
  // At most one run per record, whether waiting or running.
  policy: 'exclusive',
  retryLimit: 1_000,
  retryDelay: 30,
  retryBackoff: true,
  retryDelayMax: 1_800,
  expireInSeconds: 6 * 3_600,
  heartbeatSeconds: 60,
  deleteAfterSeconds: 3_600,
} as const

/** Runs SQL. Without values it may hold several statements. */
export type RunSql = (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>

/**
 * Opens the queue of background work, on Docket's own connections. Its work runs every hour or day, so the
 * intervals keep an idle database idle: a few small statements a minute.
 */
export const openBoss = async (runSql: RunSql): Promise<PgBoss> => {
  const { PgBoss } = await import('pg-boss')
  return new PgBoss({
    db: { executeSql: runSql },
    schema: schemas.queues,
    cronMonitorIntervalSeconds: 45,
    cronWorkerIntervalSeconds: 45,
    clockMonitorIntervalSeconds: 600,
    superviseIntervalSeconds: 60,
    monitorIntervalSeconds: 60,
    maintenanceIntervalSeconds: 86_400,
    queueCacheIntervalSeconds: 3_600,
    bamIntervalSeconds: 3_600,
    // Docket has no jobs that depend on each other.
    flowIntervalSeconds: 86_400,
  })
}

/** Creates or updates the tables of the queue, and the queue of events, which transactions write before a process opens it. One process at a time may call it. */
export const installBoss = async (runSql: RunSql): Promise<void> => {
  const tables = await runSql("select 1 from pg_tables where schemaname = $1 and tablename = 'version'", [
    schemas.queues,
  ])
  if (tables.rows.length > 0) {
    const { rows } = await runSql(`select 1 from ${schemas.queues}.version where version = $1`, [
      manifest.pgboss.schema,
    ])
    if (rows.length > 0) return
  }
  const { PgBoss } = await import('pg-boss')
  const boss = new PgBoss({ db: { executeSql: runSql }, schema: schemas.queues, schedule: false, supervise: false })
  try {
    await boss.start()
    await boss.createQueue(eventQueue, { ...recordQueue, policy: 'standard' })
  } finally {
    await boss.stop({ graceful: false })
  }
}
