import { PgBoss } from 'pg-boss'

/** Runs SQL; without values it may be several statements. */
export type RunSql = (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>

/**
 * The queue of background work, in a schema of its own (`pgboss`), on connections that are Docket's own. Tuned to leave an idle
 * database idle: a few small statements a minute. Its work runs every hour or day, so nobody waits for it.
 */
export const openBoss = (runSql: RunSql): PgBoss =>
  new PgBoss({
    db: { executeSql: runSql },
    cronMonitorIntervalSeconds: 45,
    cronWorkerIntervalSeconds: 45,
    clockMonitorIntervalSeconds: 600,
    superviseIntervalSeconds: 300,
    monitorIntervalSeconds: 300,
    maintenanceIntervalSeconds: 86_400,
    queueCacheIntervalSeconds: 3_600,
    bamIntervalSeconds: 3_600,
    // Docket has no jobs that depend on each other.
    flowIntervalSeconds: 86_400,
  })

/** Makes or updates the tables of the queue. To be called by one process at a time. */
export const installBoss = async (runSql: RunSql): Promise<void> => {
  const boss = new PgBoss({ db: { executeSql: runSql }, schedule: false, supervise: false })
  try {
    await boss.start()
  } finally {
    await boss.stop({ graceful: false })
  }
}
