import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createPlainServer } from 'node:net'
import { createServer as createSecureServer } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { listenHere } from '#bench/harness/processes.ts'
import { localhostCertificate } from '#packages/code-hosts/src/testing/certificate.ts'
import { onEnd } from '#bench/harness/cleanup.ts'

/** What an answer may give away: the key that was sent, and a link that was never meant for anybody here. */
type Secrets = { key: string; link: string }
type Fault = (response: ServerResponse, secrets: Secrets) => void

const json =
  (
    status: number,
    body: (secrets: Secrets) => unknown,
    headers: (secrets: Secrets) => Record<string, string> = () => ({}),
  ): Fault =>
  (response, secrets) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers(secrets) })
      .end(JSON.stringify(body(secrets)))
const raw =
  (text: (secrets: Secrets) => string): Fault =>
  (response, secrets) => {
    response.socket?.write(text(secrets))
    response.socket?.destroySoon()
  }

/** Ways in which a service repeats what it should not. */
export const faults: Readonly<Record<string, Fault>> = {
  'rejects and repeats the key': json(401, ({ key }) => ({ error: `The key ${key} is not valid` })),
  'rejects and repeats the header': json(403, ({ key, link }) => ({
    error: `Authorization: Bearer ${key}`,
    detail: link,
  })),
  'repeats it in headers': json(
    401,
    () => ({ error: 'no' }),
    ({ key, link }) => ({
      'www-authenticate': `Bearer realm="${key}"`,
      'x-key': key,
      'set-cookie': `k=${key}`,
      location: link,
      'retry-after': '1',
      server: key,
    }),
  ),
  'redirects with the key': json(
    302,
    () => ({}),
    ({ key }) => ({ location: `https://localhost/?key=${key}` }),
  ),
  'redirects to a link': json(
    307,
    () => ({}),
    ({ link }) => ({ location: link, refresh: `0;url=${link}` }),
  ),
  'repeats it in base64': json(400, ({ key }) => ({ error: Buffer.from(key).toString('base64') })),
  'repeats a piece of it': json(400, ({ key }) => ({ error: `unknown key …${key.slice(-18)}` })),
  'repeats it in capitals': json(422, ({ key }) => ({ error: { message: key.toUpperCase() } })),
  'hides marks in it': json(422, ({ key }) => ({ error: `${key.slice(0, 15)}\u200b${key.slice(15)}` })),
  'fails with a page': (response, { key, link }) =>
    void response.writeHead(500, { 'content-type': 'text/html' }).end(`<h1>${key}</h1><a href="${link}">${link}</a>`),
  'says where the bundle is': json(409, ({ link }) => ({ error: `There is ${link} already` })),
  'asks to wait': json(
    429,
    ({ key }) => ({ error: key }),
    ({ key }) => ({ 'retry-after': key }),
  ),
  'is not HTTP': raw(({ key, link }) => `${key} ${link}\r\n\r\n`),
  'has a reason': raw(({ key }) => `HTTP/1.1 403 ${key}\r\ncontent-length: 0\r\n\r\n`),
  'has a strange header': raw(({ key }) => `HTTP/1.1 200 OK\r\n${key}: 1\r\n ${key}\r\n\r\n`),
  'breaks off': raw(
    ({ key, link }) =>
      `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 999\r\n\r\n{"error":"${key}","bundleUrl":"${link}`,
  ),
  'is no JSON': (response, { key, link }) => void response.end(`${key} ${link}`),
  'fills every field': json(200, ({ key, link }) => ({
    id: key,
    status: key,
    model: key,
    error: `${key} ${link}`,
    prLink: `https://x.example/${key}`,
    source: { repository: `https://${key}@x.example/a`, ref: key },
    progress: key,
    createdAt: key,
  })),
  'links with the key': json(200, ({ key }) => ({ status: 'running', bundleUrl: `https://${key}:${key}@localhost/` })),
  'is compressed': (response, { key }) =>
    void response
      .writeHead(400, { 'content-encoding': 'gzip', 'content-type': 'application/json' })
      .end(gzipSync(JSON.stringify({ error: key }))),
  'lies about compression': (response, { key }) =>
    void response.writeHead(200, { 'content-encoding': 'gzip' }).end(key),
  'has trailers': (response, { key }) => {
    response.writeHead(500, { 'transfer-encoding': 'chunked', trailer: 'x-key' })
    response.addTrailers({ 'x-key': key })
    response.end('{"error":"x"}')
  },
  'hangs up': (response) => void response.socket?.destroy(),
  'says nothing': () => {},
}

const names = Object.keys(faults)

/** The service and the storage behind its links, over TLS on one port. */
export type FaultyService = {
  url: string
  playFaults: (play: boolean) => void
  played: Map<string, number>
  calls: () => number
}

/**
 * Honest until told otherwise; then its faults take turns, and every seventh connection is no TLS at all. `signature`
 * is the secret in its links, in the parameter `sig`.
 */
export const faultyService = async (signature: string): Promise<FaultyService> => {
  const played = new Map<string, number>()
  let [calls, connections, faulty] = [0, 0, false]
  let origin = ''
  const honest = (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? ''
    if (path.startsWith('/bundle'))
      return void response.writeHead(200, { etag: '"v1"', 'content-length': '6' }).end('bundle')
    const isBundle = path.endsWith('/bundle')
    const body = isBundle
      ? { bundleUrl: `${origin}/bundle.tar.gz?sig=${signature}` }
      : request.method === 'POST'
        ? { jobId: `job-${calls}` }
        : { status: 'completed', model: 'm' }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  const http = createHttpServer((request, response) => {
    calls += 1
    request.resume()
    if (!faulty || request.url?.startsWith('/v1/static-export/jobs/job-keep') === true) return honest(request, response)
    const name = names[calls % names.length]!
    played.set(name, (played.get(name) ?? 0) + 1)
    const key = /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1] ?? 'nokey'
    faults[name]?.(response, { key, link: `${origin}/bundle.tar.gz?sig=${signature}` })
  })
  const secure = createSecureServer(localhostCertificate, (socket) => void http.emit('connection', socket))
  secure.on('tlsClientError', () => {})
  const server = createPlainServer((socket) => {
    connections += 1
    socket.on('error', () => {})
    if (faulty && connections % 7 === 0) return void socket.end(`HTTP/1.1 400 Bad Request\r\n\r\n${signature}`)
    secure.emit('connection', socket)
  })
  onEnd(() => http.closeAllConnections())
  origin = `https://localhost:${await listenHere(server)}`
  return { url: origin, playFaults: (play) => void (faulty = play), played, calls: () => calls }
}
