import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { migrateDatabase } from '#apps/bff/src/ground/db/migrate.ts'
import { openPool } from '#apps/bff/src/ground/db/pool.ts'
import { startEmbeddedPostgres } from '#packages/embedded-postgres/src/embedded-postgres.ts'
import { onEnd } from './cleanup.ts'

/** A PostgreSQL of the bench, as durable as an operator's own. */
export type DatabaseServer = {
  /** Its first process: all others are below it. */
  pid: number
  /** A new, migrated database; `fill` runs on it before the address is given. */
  database: (fill?: (url: string) => Promise<void>) => Promise<string>
}

const benchConnection = '22222222-2222-4222-8222-222222222222'

/** Runs one statement, however long it takes. */
export const runSql = async (config: Parameters<typeof openPool>[0], statement: string): Promise<void> => {
  const pool = openPool({ ...config, max: 1, statement_timeout: 0, query_timeout: 0 }, { warn: () => {} })
  await pool.query(statement).finally(() => pool.end())
}

/** Describes the service as a Docket of the bench will, and gives it every record that is filled in. */
const describeService = (serviceUrl: string): string => `
  insert into connections (connection_id, name, kind, source, base_url, deployment_kind, calls_per_hour, timeout_ms, agent_job_creation)
    values ('${benchConnection}', 'Bench', 'service', 'environment', '${serviceUrl}', 'cloud', 3600, 30000, false);
  alter table static_exports alter column connection_id set default '${benchConnection}';
  alter table agent_jobs alter column connection_id set default '${benchConnection}'`

/** Starts it on a folder; it ends with the bench. `serviceUrl`: the service that records filled in belong to. */
export const startDatabaseServer = async (dataDir: string, serviceUrl?: string): Promise<DatabaseServer> => {
  const { connection, stop } = await startEmbeddedPostgres({ dataDir, settings: { max_connections: '200' } })
  onEnd(stop)
  const [pid = ''] = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
  let count = 0
  return {
    pid: Number(pid),
    database: async (fill) => {
      const name = `bench_${(count += 1)}`
      await runSql(connection, `create database ${name}`)
      const { host, port, user } = connection
      await migrateDatabase({ ...connection, database: name })
      if (serviceUrl !== undefined) await runSql({ ...connection, database: name }, describeService(serviceUrl))
      const url = `postgresql://${user}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`
      await fill?.(url)
      return url
    },
  }
}
