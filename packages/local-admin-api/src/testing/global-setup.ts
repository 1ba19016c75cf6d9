import { startTestServer, type TestServer } from '@docket/embedded-postgres/testing/test-server'
import { Client } from 'pg'
import { PgBoss } from 'pg-boss'
import type { TestProject } from 'vitest/node'
import { migrateEmbeddedService } from '#database/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    testServer: TestServer
  }
}

/** Starts one PostgreSQL for the run with the tables of the service in its template. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { server, stop } = await startTestServer(async (template) => {
    const client = new Client(template)
    await client.connect()
    await migrateEmbeddedService(client)
    const boss = new PgBoss({ db: { executeSql: (text, values) => client.query(text, values) }, supervise: false })
    await boss.start()
    await boss.stop({ graceful: false })
    await client.end()
  })
  project.provide('testServer', server)
  return stop
}
