import { createHash, timingSafeEqual } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { StorageFailed } from '@docket/artifact-store/object-storage'
import { type HttpBindings, serve } from '@hono/node-server'
import { Hono, type MiddlewareHandler, type Context } from 'hono'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Log } from './log.ts'

type App = Hono<{ Bindings: HttpBindings }>

const maxBodyBytes = 256 * 1024

const nothingRuns = "default-src 'none'; frame-ancestors 'none'"

/** The whole HTTP surface. Every call of the Admin API needs the key; storage links do not. */
export const createServerApp = (deps: {
  key: string
  staticExports: App
  storage: App
  agentJobs: App
  log: Log
}): App => {
  const { key, staticExports, storage, agentJobs, log } = deps

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
      c.header('content-security-policy', nothingRuns)
      // Responses show current state, so they forbid caching unless a route allows it.
      if (!c.res.headers.has('cache-control')) c.header('cache-control', 'no-store')
    })
    .use(requireOwnHost)
    .use('/v1/*', requireBearerKey(key))
    .use('/v2/*', requireBearerKey(key))
    .use(limitBody)
    .use(
      methodNotAllowed({
        app,
        onMethodNotAllowed: (c, methods) => c.json({ error: 'Method not allowed' }, 405, { allow: methods.join(', ') }),
      }),
    )
    .route('/v1/static-export/jobs', staticExports)
    .route('/', agentJobs)
    .route('/storage/bundles', storage)
}

export type Listening = { url: string; close(): Promise<void> }

/** Milliseconds. */
const times = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  // Longer than clients keep a connection, so that none is closed just as a request is sent on it.
  keepAliveTimeout: 75_000,
}

/** Listens on loopback only. `port` 0 takes a free one. */
export const listenOnLoopback = (app: App, port: number): Promise<Listening> =>
  new Promise((resolve, reject) => {
    const server = serve({
      fetch: app.fetch,
      port,
      hostname: '127.0.0.1',
      serverOptions: times,
      // A replaced global Response forgets that a route wrote to the connection itself, and would answer twice.
      overrideGlobalObjects: false,
    })
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

const hashKey = (text: string) => createHash('sha256').update(text).digest()

/** Requires `Authorization: Bearer <key>` (Admin API §5), else 401. Compares in constant time. */
const requireBearerKey = (key: string): MiddlewareHandler => {
  const expected = hashKey(key)
  return async (c, next) => {
    const [, token = ''] = /^Bearer ([^\s]+)$/i.exec(c.req.header('authorization') ?? '') ?? []
    if (!timingSafeEqual(hashKey(token), expected)) {
      return c.json({ error: 'Missing or invalid API key' }, 401, { 'www-authenticate': 'Bearer' })
    }
    return next()
  }
}

/** Refuses a body over the limit, before reading it when `Content-Length` says so. Hono's own limit needs a replaced global Request. */
const limitBody: MiddlewareHandler = async (c, next) => {
  const tooLarge = () => c.json({ error: 'The request is too large' }, 413)
  const { raw } = c.req
  if (Number(c.req.header('content-length') ?? 0) > maxBodyBytes) return tooLarge()
  if (c.req.header('transfer-encoding') === undefined || raw.body === null) return next()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of raw.body) {
    size += chunk.byteLength
    if (size > maxBodyBytes) return tooLarge()
    chunks.push(chunk)
  }
  const { url, method, headers, signal } = raw
  c.req.raw = new Request(url, { method, headers, signal, body: Buffer.concat(chunks) })
  return next()
}

const loopbackName = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i

/** Answers to names of this machine only, because of DNS rebinding. */
export const requireOwnHost: MiddlewareHandler = async (c, next) => {
  // A request line may hold an absolute address, which sets `c.req.url`; check both.
  const names = [c.req.header('host') ?? '', new URL(c.req.url).host]
  if (!names.every((name) => loopbackName.test(name)))
    return c.json({ error: 'This service answers to the names of this machine only' }, 403)
  return next()
}

/** Closes the connection of an accepted request, so that only its response is lost. */
export const closeConnection = (c: Context<{ Bindings: HttpBindings }>): Response => {
  c.env.incoming.socket.destroy()
  return RESPONSE_ALREADY_SENT
}
