import { PgBoss } from 'pg-boss'

/** Runs SQL. Without values it may hold several statements. */
export type RunSql = (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>

/**
 * Opens the queue of background work, in the schema `pgboss`, on Docket's own connections. Its work runs every hour or day, so the
 * intervals keep an idle database idle: a few small statements a minute.
 */
export const openBoss = (runSql: RunSql): PgBoss =>
  new PgBoss({
    db: { executeSql: runSql },
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

/** Creates or updates the tables of the queue. One process at a time may call it. */
export const installBoss = async (runSql: RunSql): Promise<void> => {
  const boss = new PgBoss({ db: { executeSql: runSql }, schedule: false, supervise: false })
  try {
    await boss.start()
  } finally {
    await boss.stop({ graceful: false })
  }
}
