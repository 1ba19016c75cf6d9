import { createServer, STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { securityHeaderValues } from '#http/security-headers.ts'
import type { Log } from '#log.ts'

/** A listening server. `stop` takes no new requests, lets those in flight finish for `graceMs`, then cuts them. */
export type RunningServer = {
  port: number
  /** Where it is reached, such as `http://127.0.0.1:3000`. */
  address: string
  stop(graceMs: number): Promise<void>
}

const plainAnswer = (status: number): Response =>
  new Response(`${STATUS_CODES[status]}\n`, {
    status,
    headers: { ...securityHeaderValues, 'Cache-Control': 'no-store', 'Content-Type': 'text/plain; charset=utf-8' },
  })

const rawAnswer = (status: number): string => {
  const headers = { ...securityHeaderValues, 'Cache-Control': 'no-store', 'Content-Length': '0', Connection: 'close' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`
}

const statusOfClientError: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** A failure to listen in words for the operator. */
const listenFailure = (
  error: Error,
  { host, port, setting }: { host: string; port: number; setting: string },
): Error => {
  const code = 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return new Error(
      `Port ${port} on ${host} is already in use. Stop what uses it, or set ${setting} to another one; 0 takes a free one.`,
    )
  if (code === 'EACCES') return new Error(`Docket may not listen on port ${port}. Set ${setting} to 1024 or higher.`)
  return error
}

/** Serves the app over HTTP/1.1. Port 0 takes a free one. Rejects with a sentence for the operator when it may not listen there. */
export const startServer = async (options: {
  fetch: (request: Request, env: HttpBindings) => Response | Promise<Response>
  host: string
  port: number
  log: Log
  /** Sees every request before `fetch` does, and answers it itself where it says so. Never rejects. */
  first?: (request: IncomingMessage, response: ServerResponse) => Promise<boolean> | false
  /** The variable of `port`, for the sentence about a port that is taken. */
  setting?: 'PORT' | 'METRICS_PORT'
}): Promise<RunningServer> => {
  const listener = getRequestListener((request, env) => options.fetch(request, env as HttpBindings), {
    overrideGlobalObjects: false,
    // Only requests that are no valid address at all end here; the app answers everything else, its own failures included.
    errorHandler: (error) => {
      options.log.debug({ err: error }, 'request refused')
      return plainAnswer(400)
    },
  })
  // Browsers connect ahead of need; Node does not count such a connection as idle, so it would hold a stop back.
  const unasked = new Set<Socket>()
  const server = createServer(
    {
      headersTimeout: 15_000,
      requestTimeout: 60_000,
      // Longer than the idle time of usual proxies, so that it is the proxy that closes.
      keepAliveTimeout: 75_000,
      connectionsCheckingInterval: 5_000,
      maxHeaderSize: 16_384,
    },
    (request, response) => {
      unasked.delete(request.socket)
      const answered = options.first?.(request, response) ?? false
      if (answered === false) void listener(request, response)
      else void answered.then((done) => (done ? undefined : listener(request, response)))
    },
  )
  server.on('connection', (socket) => {
    unasked.add(socket)
    socket.once('close', () => unasked.delete(socket))
  })
  server.maxConnections = 2_048
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (socket.destroyed || !socket.writable) return
    socket.end(rawAnswer(statusOfClientError[error.code ?? ''] ?? 400))
  })
  await new Promise<void>((resolve, reject) => {
    const { host, port, setting = 'PORT' } = options
    const refused = (error: Error) => reject(listenFailure(error, { host, port, setting }))
    server.once('error', refused)
    server.listen({ host, port }, () => {
      server.off('error', refused)
      resolve()
    })
  })
  server.on('error', (error) => options.log.error({ err: error }, 'server error'))

  const stop = async (graceMs: number) => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const socket of unasked) socket.destroy()
    // A connection whose answer ends after close() would otherwise be kept alive and hold the process back.
    const sweep = setInterval(() => server.closeIdleConnections(), 50)
    const cut = setTimeout(() => server.closeAllConnections(), graceMs)
    await closed
    clearInterval(sweep)
    clearTimeout(cut)
  }
  const { port } = server.address() as AddressInfo
  const host = options.host.includes(':') ? `[${options.host}]` : options.host
  return { port, address: `http://${host}:${port}`, stop }
}
