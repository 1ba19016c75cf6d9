import { copyTestDatabase, startTestServer } from '@docket/embedded-postgres/testing/test-server'
import { drizzle } from 'drizzle-orm/node-postgres'
import { Client, Pool, type ClientConfig } from 'pg'
import { PgBoss } from 'pg-boss'
import type { Database } from '#database/database.ts'
import { embeddedMigrations, embeddedMigrationsTable, migrate } from '#database/migrate.ts'

/** Makes the tables of the service and of its queues, as Docket's migrations do. */
export const prepareTemplate = async (template: ClientConfig): Promise<void> => {
  const client = new Client(template)
  await client.connect()
  await migrate(client, embeddedMigrations, embeddedMigrationsTable)
  const boss = new PgBoss({ db: { executeSql: (text, values) => client.query(text, values) }, supervise: false })
  await boss.start()
  await boss.stop({ graceful: false })
  await client.end()
}

/** Connections to a test database. One that is still closing is ended when the database goes, which is no problem of the test. */
export const testPool = (url: string): Pool => {
  const pool = new Pool({ connectionString: url, max: 5 })
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))
  return pool
}

/** A database of a PostgreSQL of its own, for a service outside a test run. `url` is what `DATABASE_URL` would be. */
export const scratchDatabase = async (): Promise<{ database: Database; url: string; stop: () => Promise<void> }> => {
  const { server, stop } = await startTestServer(prepareTemplate)
  const { url } = await copyTestDatabase(server, { name: 'scratch', empty: false })
  const pool = testPool(url)
  return {
    database: drizzle(pool),
    url,
    stop: async () => {
      await pool.end()
      await stop()
    },
  }
}
