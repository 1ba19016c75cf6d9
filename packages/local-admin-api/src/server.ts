import type { AddressInfo } from 'node:net'
import { serve, type HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import type { Log } from '#log.ts'
import { bearerKey } from '#bearer-key.ts'

/** The parts of the service, each an app of its own. */
export type ServerParts = {
  key: string
  staticExports: Hono<{ Bindings: HttpBindings }>
  storage: Hono<{ Bindings: HttpBindings }>
  /** Mounted at the root: its paths begin with `/v2`. */
  agentJobs: Hono
  /** Pages and repositories, mounted at the root behind everything else. */
  codeHost: Hono
  log: Log
}

/** The whole HTTP surface. Every call of the Admin API needs the key; storage links and the code host do not. */
export const serverApp = ({ key, staticExports, storage, agentJobs, codeHost, log }: ServerParts) =>
  new Hono<{ Bindings: HttpBindings }>()
    .onError((error, c) => {
      log.error({ err: error, path: c.req.path.startsWith('/v') ? c.req.path : undefined }, 'a request failed')
      return c.json({ error: 'Internal error' }, 500)
    })
    .notFound((c) => c.json({ error: 'Not found' }, 404))
    .use('/v1/*', bearerKey(key))
    .use('/v2/*', bearerKey(key))
    .route('/v1/static-export/jobs', staticExports)
    .route('/', agentJobs)
    .route('/storage/bundles', storage)
    .route('/', codeHost)

/** A listening server. */
export type Listening = { url: string; close(): Promise<void> }

/** Listens on loopback only. `port` 0 takes a free one. */
export const listen = (app: Hono<{ Bindings: HttpBindings }>, port: number): Promise<Listening> =>
  new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, port, hostname: '127.0.0.1' })
    server.once('error', reject)
    server.once('listening', () => {
      resolve({
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        close: () =>
          new Promise((done) => {
            server.close(() => done())
            if ('closeAllConnections' in server) server.closeAllConnections()
          }),
      })
    })
  })
