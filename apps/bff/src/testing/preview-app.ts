import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { Preview } from '@docket/api-types/previews'
import type { StoredSite } from '@docket/site-bundle/open-site'
import { sql } from 'drizzle-orm'
import { testApp, type TestAppOptions } from '#testing/test-app.ts'

/** Docket's own name in these tests. */
export const ownName = 'docket-0123456789ab.localhost'
const sha256 = 'a'.repeat(64)

/** A whole server whose only stored bundle is `site`. `send` sends a request under any host name. */
export const previewApp = async (site: StoredSite, options: TestAppOptions = {}) => {
  const previewed = { find: async () => ({ sha256 }), open: () => site }
  const app = await testApp({ ownName, previewed, artifacts: { openSite: () => site }, ...options })
  await app.db.execute(
    sql`insert into stored_bundles (sha256, ending, size_bytes, stored_bytes, content_bytes, files, pages, stored_at)
      values (${sha256}, '.zip', 1, 1, 1, 1, 1, now())`,
  )
  const send = (
    host: string,
    path: string,
    { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
  ) =>
    new Promise<{
      status: number
      headers: Record<string, string | string[] | undefined>
      body: string
      bytes: Buffer
    }>((resolve, reject) => {
      const sending = request(
        { host: '127.0.0.1', port: app.port, path, method, headers: { ...headers, host }, agent: false },
        (response) =>
          void buffer(response).then(
            (bytes) =>
              resolve({ status: response.statusCode!, headers: response.headers, body: bytes.toString(), bytes }),
            reject,
          ),
      )
      sending.on('error', reject).end(body)
    })
  const exportId = crypto.randomUUID()
  const api = `/api/static-exports/${exportId}/artifact/previews`
  return {
    ...app,
    send,
    exportId,
    api,
    /** Calls the API as Docket's own page at `host` does. */
    call: (
      method: string,
      path: string,
      { host = `${ownName}:${app.port}`, cookie = app.cookie! } = {},
      body?: object,
    ) =>
      send(host, path, {
        method,
        headers: { cookie, origin: `http://${host}`, 'x-docket': '1', 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    /** Opens a preview and returns it with its link still unused. */
    open: async (path = '/', at: { host?: string; cookie?: string } = {}) => {
      const { host = `${ownName}:${app.port}`, cookie = app.cookie! } = at
      const origin = host === `${ownName}:${app.port}` || host.startsWith('127.') ? `http://${host}` : `https://${host}`
      const answer = await send(host, api, {
        method: 'POST',
        headers: { cookie, origin, 'x-docket': '1', 'content-type': 'application/json' },
        body: JSON.stringify({ path }),
      })
      if (answer.status !== 200) throw new Error(`${answer.status} ${answer.body}`)
      return Preview.parse(JSON.parse(answer.body))
    },
  }
}
