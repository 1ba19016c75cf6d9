import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { withDeadline } from '#ground/db/deadline.ts'
import { bringsMany, type TrustedProxies } from '#ground/http/limits/client-address.ts'
import { isUpload } from '#ground/http/server/body-limit.ts'
import { limitConnections, type ConnectionLimits } from '#ground/http/limits/connections.ts'
import { startListening } from '#ground/http/server/listen.ts'
import { buildSecurityHeaders } from '#ground/http/security-headers.ts'
import type { Log } from '#ground/log/log.ts'

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

const allowedMethods = 'GET, HEAD, POST, PATCH, DELETE'

/** True with exactly one `Host` header: of several, parsers choose different ones. */
const hasOneHost = ({ rawHeaders }: IncomingMessage): boolean => {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]!.length === 4 && rawHeaders[at]!.toLowerCase() === 'host') hosts += 1
  return hosts === 1
}

/**
 * Status for a request that Node's parser accepts but that a proxy may read differently: no or several hosts, an absolute address
 * (RFC 9112 §3.2.2), a transfer encoding other than chunks, or chunks in HTTP/1.0. Null for ordinary requests.
 */
const findShapeProblem = (request: IncomingMessage): 400 | 405 | 505 | null => {
  const { method = '', url = '', httpVersionMajor, httpVersionMinor, headers } = request
  if (httpVersionMajor !== 1) return 505
  if (!methods.has(method)) return 405
  if (!url.startsWith('/') || !hasOneHost(request)) return 400
  const transfer = headers['transfer-encoding']
  return transfer !== undefined && (httpVersionMinor === 0 || transfer.toLowerCase() !== 'chunked') ? 400 : null
}

type Headers = Readonly<Record<string, string>>

/** Response to an invalid request, or to one that no route may see. `headers` are added to every response. */
const createPlainResponse = (status: number, headers: Headers): Response =>
  new Response(`${STATUS_CODES[status]}\n`, {
    status,
    headers: { ...headers, 'Cache-Control': 'no-store', 'Content-Type': 'text/plain; charset=utf-8' },
  })

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/** The same as raw text, for a connection that can no longer answer in order. */
const formatRawResponse = (status: number, headers: Headers): string => {
  const all = { ...headers, 'Cache-Control': 'no-store', 'Content-Length': '0', Connection: 'close' }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`
}

const statusOfClientError: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** Times in milliseconds. */
const times = {
  headersTimeout: 15_000,
  // Uploads may take hours; `maxBodyMs` limits all other bodies.
  requestTimeout: 0,
  // Longer than the idle time-out of usual proxies, so that the proxy closes the connection.
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 5_000,
}
/** Time for the body of a request. Bodies are small. Milliseconds. */
const maxBodyMs = 30_000
/** Closes a connection without traffic for this long, unless its client waits for Docket. Milliseconds. */
const usualStalledMs = 120_000

/**
 * Serves the app over HTTP/1.1. Port 0 takes a free one. Rejects with a message for the operator when it cannot listen there. `stop` of the
 * result accepts no new requests, gives those in progress `graceMs` to finish, then cuts them off.
 */
export const startServer = async (options: {
  fetch: (request: Request, env: HttpBindings) => Response | Promise<Response>
  host: string
  port: number
  /** Listens on both 127.0.0.1 and ::1; `host` is one of them. */
  both?: boolean
  log: Log
  /** The address people use; decides about headers only. */
  publicUrl?: URL | null
  trustedProxies?: TrustedProxies
  limits?: Partial<ConnectionLimits>
  /**
   * How long a request may wait for the database before its first byte. Milliseconds; without it, only the pool's
   * limits apply.
   */
  databaseWaitMs?: number
  /** Like `usualStalledMs`. */
  stalledMs?: number
  /** Runs before `fetch` for every request. True when it answered the request itself. Never rejects. */
  first?: (request: IncomingMessage, response: ServerResponse) => Promise<boolean> | false
  /** The variable that sets `port`, for the message about a port in use. */
  setting?: 'PORT' | 'METRICS_PORT'
}) => {
  const { log, trustedProxies = [] } = options
  const headers = buildSecurityHeaders(options.publicUrl ?? null)
  const onlyEncrypted = headers['Strict-Transport-Security']
  const listener = getRequestListener((request, env) => options.fetch(request, env as HttpBindings), {
    overrideGlobalObjects: false,
    // Only requests without a valid address reach this. The app answers all others, including its own failures.
    errorHandler: (error) => {
      log.debug({ err: error }, 'request refused')
      return createPlainResponse(400, headers)
    },
  })
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    // The app adds its own headers to these.
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
    // The end of its body is uncertain, so the next bytes may not be read as a request.
    response.writeHead(status, { ...headers, ...allow, 'Cache-Control': 'no-store', Connection: 'close' }).end()
  }
  const limitBodyTime = (request: IncomingMessage) => {
    const timer = setTimeout(() => {
      if (!request.complete && !request.destroyed) connections.endWith(request.socket, formatRawResponse(408, headers))
    }, maxBodyMs)
    timer.unref()
    request.once('close', () => clearTimeout(timer))
  }
  // The app refuses requests without a host like other malformed ones; Node's own response lacks the headers.
  const server = createServer({ ...times, maxHeaderSize: 16_384, requireHostHeader: false }, (request, response) => {
    if (!connections.begin(request, response)) return
    const problem = findShapeProblem(request)
    if (problem !== null) {
      refuse(response, problem)
      return
    }
    if (hasBody(request) && !isUpload(request.method ?? '', request.url?.split('?')[0] ?? '')) limitBodyTime(request)
    const hasBegun = () => response.headersSent || response.destroyed
    if (options.databaseWaitMs === undefined) answer(request, response)
    else withDeadline(options.databaseWaitMs, hasBegun, () => answer(request, response))
  })
  // The size limit bounds them already. A lower count would make Node drop headers that a proxy reads.
  server.maxHeadersCount = 0
  server.timeout = options.stalledMs ?? usualStalledMs
  server.on('timeout', (socket: Socket) => {
    if (!connections.isWaitingForDocket(socket)) socket.destroy()
  })
  const connections = limitConnections(server, {
    bringsMany: (address) => bringsMany(trustedProxies, address),
    refuse: (response) => refuse(response, 429),
    log,
    limits: options.limits,
  })
  server.on('checkExpectation', (_request, response) => refuse(response, 417))
  server.on('connect', (_request, socket) => socket.end(formatRawResponse(405, { ...headers, Allow: allowedMethods })))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (socket.destroyed || !socket.writable) return
    connections.endWith(socket as Socket, formatRawResponse(statusOfClientError[error.code ?? ''] ?? 400, headers))
  })
  const { host, setting = 'PORT', both = false } = options
  const { port, closeTwin } = await startListening(server, { host, port: options.port, setting, both })
  server.on('error', (error) => options.log.error({ err: error }, 'server error'))

  const stop = async (graceMs: number) => {
    const closed = Promise.all([new Promise<void>((resolve) => server.close(() => resolve())), closeTwin()])
    // Browsers open connections ahead of need. Node does not count those as idle, so they would delay the stop.
    connections.cutIdle()
    // Closes connections whose response ends after close(); they would delay the stop.
    const sweep = setInterval(() => server.closeIdleConnections(), 50)
    const cut = setTimeout(() => server.closeAllConnections(), graceMs)
    await closed
    clearInterval(sweep)
    clearTimeout(cut)
  }
  return { port, address: `http://${host.includes(':') ? `[${host}]` : host}:${port}`, stop }
}
