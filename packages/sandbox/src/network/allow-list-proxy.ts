import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { findProxy, openTunnel } from '@docket/outbound/proxy'
import { checkDestination, type HostPort, type NetworkRules, type Resolve } from './check-destination.ts'

const limits = { connections: 128, connectMs: 15_000, silenceMs: 15 * 60_000 }

/** Maximum length of the path of a Unix socket on Linux. Bytes. */
const maxSocketPath = 107

export type AllowListProxy = { close(): void }

/** Connects only to addresses that passed the check. `onRefusal` receives a sentence for each refused destination, once. */
export const startAllowListProxy = async (
  socketPath: string,
  rules: NetworkRules,
  onRefusal: (sentence: string) => void,
  resolve?: Resolve,
): Promise<AllowListProxy> => {
  const told = new Set<string>()
  const check = async (target: HostPort) => {
    const destination = await checkDestination(target, rules, resolve)
    if ('refusal' in destination && !told.has(destination.refusal) && told.size < 50) {
      told.add(destination.refusal)
      onRefusal(destination.refusal)
    }
    return destination
  }
  const open = new Set<Duplex>()
  const keep = (socket: Duplex) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  }

  const tunnel = async (incoming: IncomingMessage, client: Duplex, head: Buffer) => {
    client.on('error', () => client.destroy())
    const target = parseTarget(`http://${incoming.url ?? ''}`)
    if (target === null) return endSocket(client, 400, 'This is not a host and a port.')
    const destination = await check(target)
    if ('refusal' in destination) return endSocket(client, 403, destination.refusal)
    if (client.destroyed) return
    let isEstablished = false
    const watch = (server: Socket) => {
      keep(server)
      server.on('timeout', () => server.destroy(new Error('The server did not answer in time.')))
      server.on('error', ({ message }) => (isEstablished ? client.destroy() : endSocket(client, 502, message)))
      if (client.destroyed) server.destroy()
      client.on('close', () => server.destroy())
    }
    const relay = (server: Socket) => {
      isEstablished = true
      server.setTimeout(limits.silenceMs)
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      server.write(head)
      server.pipe(client).pipe(server)
    }
    const [place, { lookup }] = [{ hostname: target.host, port: target.port }, destination]
    const proxy = findProxy(place)
    if (proxy === null) {
      const server = connect({ ...target, lookup, timeout: limits.connectMs, allowHalfOpen: true })
      watch(server)
      server.once('connect', () => relay(server))
    } else
      openTunnel(proxy, place, limits.connectMs, (error, server) => {
        if (error !== null) return endSocket(client, 502, error.message)
        watch(server)
        relay(server)
      })
  }

  const forward = async (incoming: IncomingMessage, response: ServerResponse) => {
    const url = URL.canParse(incoming.url ?? '') ? new URL(incoming.url!) : null
    const target = url?.protocol === 'http:' ? parseTarget(url.href) : null
    if (url === null || target === null) return sendAnswer(response, 400, 'This proxy forwards http:// addresses only.')
    const destination = await check(target)
    if ('refusal' in destination) return sendAnswer(response, 403, destination.refusal)
    if (response.destroyed) return
    const place = { protocol: 'http:', hostname: target.host, port: target.port }
    const proxy = findProxy(place)
    const outgoing = request({
      ...target,
      lookup: destination.lookup,
      ...(proxy === null
        ? { agent: false }
        : {
            createConnection: (_, done) => {
              openTunnel(proxy, place, limits.connectMs, (error, socket) => done(error, socket!))
              return undefined
            },
          }),
      timeout: limits.silenceMs,
      method: incoming.method,
      path: url.pathname + url.search,
      headers: { ...withoutHopHeaders(incoming), host: url.host, connection: 'close' },
    })
    outgoing.on('response', (found) => {
      response.writeHead(found.statusCode ?? 502, withoutHopHeaders(found))
      found.pipe(response)
      found.on('error', () => response.destroy())
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error('The server did not answer in time.')))
    outgoing.on('error', ({ message }) => sendAnswer(response, 502, message))
    response.on('close', () => outgoing.destroy())
    incoming.pipe(outgoing)
  }

  if (Buffer.byteLength(socketPath) > maxSocketPath)
    throw new Error('The path of the temporary folder is too long for a socket. Set TMPDIR to a shorter one.')
  const server = createServer({ maxHeaderSize: 64 * 1024, requestTimeout: 0 }, (incoming, response) => {
    forward(incoming, response).catch(() => response.destroy())
  })
  server.maxConnections = limits.connections
  server.on('connection', keep)
  server.on('connect', (incoming, client, head) => void tunnel(incoming, client, head).catch(() => client.destroy()))
  server.on('clientError', (_, socket) => socket.destroy())
  await new Promise<void>((listening, reject) => {
    server.once('error', reject)
    server.listen(socketPath, listening)
  })
  return {
    close: () => {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

const parseTarget = (address: string): HostPort | null => {
  if (!URL.canParse(address)) return null
  const { hostname, port } = new URL(address)
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: port === '' ? 80 : Number(port) }
}

const withoutHopHeaders = ({ headers }: IncomingMessage) => {
  const listed = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase())
  const hop = new Set([...listed, ...hopHeaders])
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hop.has(name)))
}

const hopHeaders = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

const sendAnswer = (response: ServerResponse, status: number, sentence: string) => {
  if (response.headersSent) return void response.destroy()
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' }).end(`${sentence}\n`)
}

const endSocket = (client: Duplex, status: number, sentence: string) => {
  const body = `${sentence}\n`
  if (client.writable)
    client.end(
      `HTTP/1.1 ${status} Refused\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    )
}
