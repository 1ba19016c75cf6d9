import { migrateDatabase } from '#apps/bff/src/ground/db/migrate.ts'
import { onEnd } from '#bench/harness/cleanup.ts'
import { copyTestDatabase, startTestServer } from '#packages/embedded-postgres/src/testing/test-server.ts'

/** Makes a database with Docket's tables, and answers with its URL. */
export type MakeDatabase = () => Promise<string>

/** Starts one PostgreSQL, which outlives the services that are killed and ends with the proof. */
export const startDatabases = async (): Promise<MakeDatabase> => {
  const { server, stop } = await startTestServer(migrateDatabase)
  onEnd(stop)
  let count = 0
  return async () => (await copyTestDatabase(server, { name: `service_${(count += 1)}`, empty: false })).url
}
