import { callApi } from '#e2e/support/api.ts'
import { test as base } from '#e2e/support/docket.ts'
import type { Docket } from '#e2e/support/docket-server.ts'
import { plainService, type PlainService } from '#e2e/support/plain-service.ts'

/** Connects a Docket to a service, which is named by its host; answers with the connection's id. */
const addConnection = async (docket: Docket, { url, key }: PlainService): Promise<string> => {
  // A test may make hundreds of calls at once.
  const body = { name: new URL(url).host, baseUrl: url, key: { value: key }, callsPerHour: 1_000_000 }
  const added = await callApi(docket, '/api/connections', { body })
  return ((await added.json()) as { connectionId: string }).connectionId
}

/** Removes this connection and those that the test added. Their records stay in the lists, read-only. */
const removeConnections = async (docket: Docket): Promise<void> => {
  const list = await callApi(docket, '/api/connections')
  const { items } = (await list.json()) as { items: { connectionId: string; use: string }[] }
  for (const { connectionId, use } of items)
    if (use !== 'gone') await callApi(docket, `/api/connections/${connectionId}`, { method: 'DELETE' })
}

/**
 * Playwright's `test` with a service of the test's own, which is the only active connection of a shared Docket. Other
 * tests left records there: use a domain of your own, or show `connection` alone. With `docketEnv`, the Docket is the
 * test's own, and connected to nothing.
 */
export const test = base.extend<{ service: PlainService; connection: string }>({
  withServices: true,
  service: plainService,
  connection: [
    async ({ docket, docketEnv, service }, use) => {
      if (Object.keys(docketEnv).length > 0) return use('')
      const connectionId = await addConnection(docket, service)
      await use(connectionId)
      await removeConnections(docket)
    },
    { auto: true },
  ],
})

export { expect } from '#e2e/support/docket.ts'
