import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Response: HTML, a partial response, or a handler. */
export type Served =
  | string
  | { status?: number; headers?: Readonly<Record<string, string | string[]>>; body?: string | Uint8Array }
  | ((response: ServerResponse) => void)

/** Loopback HTTP server that simulates a site. */
export type Origin = {
  url: string
  port: number
  /** Received requests, in order. */
  heard: { path: string; host: string; headers: IncomingHttpHeaders }[]
  connections: () => number
  sentBytes: () => number
  close: () => Promise<void>
}

/** Starts a server on 127.0.0.1. Unknown paths return 404. */
export const openOrigin = async (serve: (path: string) => Served | undefined): Promise<Origin> => {
  const heard: Origin['heard'] = []
  let [connections, sentBytes] = [0, 0]
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    heard.push({ path, host: request.headers.host ?? '', headers: request.headers })
    response.on('error', () => {})
    const served = serve(path)
    if (typeof served === 'function') return served(response)
    if (served === undefined) return response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>404</h1>')
    const { status = 200, headers = {}, body = '' } = typeof served === 'string' ? { body: served } : served
    return response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body)
  })
  server.on('connection', (socket) => {
    connections += 1
    socket.on('error', () => {}).on('close', () => (sentBytes += socket.bytesWritten))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    heard,
    connections: () => connections,
    sentBytes: () => sentBytes,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close').catch(() => undefined)
    },
  }
}

/** Documentation page with a heading and a sentence. */
export const htmlPage = (title: string, more = '', around = ''): string =>
  `<!doctype html><html><head><title>${title}</title></head><body>${around}<main><h1>${title}</h1><p>About ${title}.</p>${more}</main></body></html>`
