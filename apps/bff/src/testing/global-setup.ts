import { startTestServer, type TestServer } from '@docket/embedded-postgres/testing/test-server'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { migrateDatabase } from '#ground/db/migrate.ts'
import { addTestConnection } from '#testing/connection.ts'

declare module 'vitest' {
  interface ProvidedContext {
    testServer: TestServer
  }
}

/**
 * Starts one PostgreSQL for the run with a migrated template database. Returns a function that stops it and removes all
 * its files.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { server, stop } = await startTestServer(async (template) => {
    await migrateDatabase(template)
    const filler = new Client(template)
    await filler.connect()
    await addTestConnection(filler)
    await filler.end()
  })
  project.provide('testServer', server)
  return stop
}
