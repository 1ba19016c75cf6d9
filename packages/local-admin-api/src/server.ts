import type { AddressInfo } from 'node:net'
import { StorageFailed } from '@docket/artifact-store/object-storage'
import { serve, type HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { bearerKey } from '#bearer-key.ts'
import type { Log } from '#log.ts'
import { ownHostOnly } from '#own-host.ts'

type App = Hono<{ Bindings: HttpBindings }>

/** The parts of the service, each an app of its own. */
export type ServerParts = {
  key: string
  staticExports: App
  storage: App
  /** Mounted at the root: its paths begin with `/v2`. */
  agentJobs: App
  /** Pages and repositories, mounted at the root behind everything else. */
  codeHost: Hono
  log: Log
}

const maxBodyBytes = 256 * 1024

/** Content policy of every response that is not a page. */
const nothingRuns = "default-src 'none'; frame-ancestors 'none'"

/** The whole HTTP surface. Every call of the Admin API needs the key; storage links and the code host do not. */
export const serverApp = ({ key, staticExports, storage, agentJobs, codeHost, log }: ServerParts): App => {
  const app: App = new Hono()
  return app
    .onError((error, c) => {
      log.error({ err: error, path: c.req.path.startsWith('/v') ? c.req.path : undefined }, 'a request failed')
      if (error instanceof StorageFailed) return c.json({ error: error.message }, 503)
      return c.json({ error: 'Internal error' }, 500)
    })
    .notFound((c) => c.json({ error: 'Not found' }, 404))
    .use(async (c, next) => {
      await next()
      c.header('x-content-type-options', 'nosniff')
      if (!c.res.headers.has('content-security-policy')) c.header('content-security-policy', nothingRuns)
      // Everything here is somebody's current state; only what says otherwise may be kept.
      if (!c.res.headers.has('cache-control')) c.header('cache-control', 'no-store')
    })
    .use(ownHostOnly)
    .use('/v1/*', bearerKey(key))
    .use('/v2/*', bearerKey(key))
    .use(bodyLimit({ maxSize: maxBodyBytes, onError: (c) => c.json({ error: 'The request is too large' }, 413) }))
    .use(
      methodNotAllowed({
        app,
        onMethodNotAllowed: (c, methods) => c.json({ error: 'Method not allowed' }, 405, { allow: methods.join(', ') }),
      }),
    )
    .route('/v1/static-export/jobs', staticExports)
    .route('/', agentJobs)
    .route('/storage/bundles', storage)
    .route('/', codeHost)
}

/** A listening server. */
export type Listening = { url: string; close(): Promise<void> }

/** How long a request may take to arrive. Milliseconds. */
const arrivalMs = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 }

/** Listens on loopback only. `port` 0 takes a free one. */
export const listen = (app: App, port: number): Promise<Listening> =>
  new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, port, hostname: '127.0.0.1', serverOptions: arrivalMs })
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
