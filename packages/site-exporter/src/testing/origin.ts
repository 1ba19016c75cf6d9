import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What an address answers: an HTML page, an answer in full, or whatever is done with the response. */
export type Served =
  | string
  | { status?: number; headers?: Readonly<Record<string, string | string[]>>; body?: string | Uint8Array }
  | ((response: ServerResponse) => void)

/** An HTTP server on loopback in the part of a site. */
export type Origin = {
  url: string
  port: number
  /** Every request, in the order they came. */
  heard: { path: string; host: string; headers: IncomingHttpHeaders }[]
  /** TCP connections that were accepted. */
  connections: () => number
  /** Bytes sent, heads included. */
  sentBytes: () => number
  close: () => Promise<void>
}

/** Starts it on a free port of 127.0.0.1. `serve` gets the path with its query; what it does not know is a 404. */
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

/** A page of documentation as tools make it: `main` with a heading, words of its own, and more HTML. */
export const htmlPage = (title: string, more = '', around = ''): string =>
  `<!doctype html><html><head><title>${title}</title></head><body>${around}<main><h1>${title}</h1><p>About ${title}.</p>${more}</main></body></html>`
