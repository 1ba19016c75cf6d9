import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { withDeadline } from '#db/deadline.ts'
import { bringsMany, type TrustedProxies } from '#http/load/client-address.ts'
import { limitConnections, type ConnectionLimits } from '#http/load/connections.ts'
import { plainAnswer, rawAnswer } from '#http/server/raw-answers.ts'
import { listen } from '#http/server/listen.ts'
import { allowedMethods, misshapen } from '#http/server/request-shape.ts'
import { buildSecurityHeaders } from '#http/security-headers.ts'
import type { Log } from '#log/log.ts'

/** A listening server. `stop` takes no new requests, lets those in flight finish for `graceMs`, then cuts them. */
export type RunningServer = {
  port: number
  /** Where it is reached, such as `http://127.0.0.1:3000`. */
  address: string
  stop(graceMs: number): Promise<void>
}

const statusOfClientError: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** Times in milliseconds. */
const times = {
  headersTimeout: 15_000,
  // Bodies are small.
  requestTimeout: 30_000,
  // Longer than the idle time of usual proxies, so that it is the proxy that closes.
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 5_000,
}
/** Without a byte in either direction, while Docket itself may still wait for somebody else. Milliseconds. */
const stalledMs = 120_000

/** Serves the app over HTTP/1.1. Port 0 takes a free one. Rejects with a sentence for the operator when it may not listen there. */
export const startServer = async (options: {
  fetch: (request: Request, env: HttpBindings) => Response | Promise<Response>
  host: string
  port: number
  /** On 127.0.0.1 and ::1, whichever of them `host` is. */
  both?: boolean
  log: Log
  /** The address people use; decides on headers only. */
  publicUrl?: URL | null
  trustedProxies?: TrustedProxies
  limits?: Partial<ConnectionLimits>
  /** How long a request may wait for the database before its first byte; only the pool's limits without it. Milliseconds. */
  databaseWaitMs?: number
  /** Sees every request before `fetch` does, and answers it itself where it says so. Never rejects. */
  first?: (request: IncomingMessage, response: ServerResponse) => Promise<boolean> | false
  /** The variable of `port`, for the sentence about a port that is taken. */
  setting?: 'PORT' | 'METRICS_PORT'
}): Promise<RunningServer> => {
  const { log, trustedProxies = [] } = options
  const headers = buildSecurityHeaders(options.publicUrl ?? null)
  const onlyEncrypted = headers['Strict-Transport-Security']
  const listener = getRequestListener((request, env) => options.fetch(request, env as HttpBindings), {
    overrideGlobalObjects: false,
    // Only requests that are no valid address at all end here; the app answers everything else, its own failures included.
    errorHandler: (error) => {
      log.debug({ err: error }, 'request refused')
      return plainAnswer(400, headers)
    },
  })
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    // What the app writes is added to it.
    if (onlyEncrypted !== undefined) response.setHeader('Strict-Transport-Security', onlyEncrypted)
    void listener(request, response)
  }
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const answered = options.first?.(request, response) ?? false
    if (answered === false) serve(request, response)
    else void answered.then((done) => (done ? undefined : serve(request, response)))
  }
  const refuse = (response: ServerResponse, status: number) => {
    const allow = status === 405 ? { Allow: allowedMethods } : status === 429 ? { 'Retry-After': '1' } : {}
    // Where its body ends is not certain, so nothing that follows may be read as a request.
    response.writeHead(status, { ...headers, ...allow, 'Cache-Control': 'no-store', Connection: 'close' }).end()
  }
  // Requests without a host are refused like others that are misshapen; Node's own answer has no headers.
  const server = createServer({ ...times, maxHeaderSize: 16_384, requireHostHeader: false }, (request, response) => {
    if (!connections.begin(request, response)) return
    const problem = misshapen(request)
    if (problem !== null) {
      refuse(response, problem)
      return
    }
    const hasBegun = () => response.headersSent || response.destroyed
    if (options.databaseWaitMs === undefined) answer(request, response)
    else withDeadline(options.databaseWaitMs, hasBegun, () => answer(request, response))
  })
  // More than fit into the size anyway: Node would leave the rest out, and another reader would not.
  server.maxHeadersCount = 0
  server.timeout = stalledMs
  const connections = limitConnections(server, {
    bringsMany: (address) => bringsMany(trustedProxies, address),
    refuse: (response) => refuse(response, 429),
    log,
    limits: options.limits,
  })
  server.on('checkExpectation', (_request, response) => refuse(response, 417))
  server.on('connect', (_request, socket) => socket.end(rawAnswer(405, { ...headers, Allow: allowedMethods })))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (socket.destroyed || !socket.writable) return
    connections.endWith(socket as Socket, rawAnswer(statusOfClientError[error.code ?? ''] ?? 400, headers))
  })
  const { host, setting = 'PORT', both = false } = options
  const { port, closeTwin } = await listen(server, { host, port: options.port, setting, both })
  server.on('error', (error) => options.log.error({ err: error }, 'server error'))

  const stop = async (graceMs: number) => {
    const closed = Promise.all([new Promise<void>((resolve) => server.close(() => resolve())), closeTwin()])
    // Browsers connect ahead of need; Node does not count such a connection as idle, so it would hold the stop back.
    connections.cutIdle()
    // A connection whose answer ends after close() would otherwise be kept alive and hold the process back.
    const sweep = setInterval(() => server.closeIdleConnections(), 50)
    const cut = setTimeout(() => server.closeAllConnections(), graceMs)
    await closed
    clearInterval(sweep)
    clearTimeout(cut)
  }
  return { port, address: `http://${host.includes(':') ? `[${host}]` : host}:${port}`, stop }
}
