import { startTestServer, type TestServer } from '@docket/embedded-postgres/testing/test-server'
import type { TestProject } from 'vitest/node'
import { prepareTemplate } from './scratch-database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    testServer: TestServer
  }
}

/** Starts one PostgreSQL for the run with the tables of the service in its template. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { server, stop } = await startTestServer(prepareTemplate)
  project.provide('testServer', server)
  return stop
}
