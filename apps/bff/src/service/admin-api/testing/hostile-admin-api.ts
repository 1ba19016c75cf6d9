import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** A request exactly as it arrived. `path` is the raw bytes of the request line. */
export type HeardRequest = { method: string; path: string; headers: Record<string, string>; body: string }

/** Behaviour of the stand-in after a whole request. */
export type Behaviour = (socket: Socket, request: HeardRequest) => void | Promise<void>

const takeRequest = (buffer: string): { request: HeardRequest; rest: string } | null => {
  const end = buffer.indexOf('\r\n\r\n')
  if (end === -1) return null
  const [line = '', ...fields] = buffer.slice(0, end).split('\r\n')
  const headers = Object.fromEntries(
    fields.map((field) => {
      const colon = field.indexOf(':')
      return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()]
    }),
  )
  const length = Number(headers['content-length'] ?? 0)
  const body = buffer.slice(end + 4)
  if (body.length < length) return null
  const [method = '', path = ''] = line.split(' ')
  return { request: { method, path, headers, body: body.slice(0, length) }, rest: body.slice(length) }
}

/**
 * A server on loopback that speaks HTTP by hand, so that it can break every rule. It writes down what it heard before
 * it misbehaves.
 */
export const hostileAdminApi = async (behave: Behaviour) => {
  const heard: HeardRequest[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    let buffer = ''
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // The client hangs up on us in most tests.
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk) => {
      buffer += chunk.toString('latin1')
      const parsed = takeRequest(buffer)
      if (parsed === null) return
      buffer = parsed.rest
      heard.push(parsed.request)
      void behave(socket, parsed.request)
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    port,
    baseUrl: `http://127.0.0.1:${port}`,
    heard,
    /** Connections open right now. */
    connections: () => sockets.size,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((closed) => server.close(closed))
    },
  }
}

/** An ordinary answer. Header values go out as they are. */
export const reply =
  (status: number, body: string | Buffer, headers: Record<string, string> = {}): Behaviour =>
  (socket) => {
    const bytes = Buffer.from(body)
    const all = { 'content-type': 'application/json', 'content-length': String(bytes.length), ...headers }
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Words\r\n${lines.join('')}\r\n`), bytes]))
  }

/** An ordinary answer of JSON. */
export const replyJson = (status: number, value: unknown, headers?: Record<string, string>): Behaviour =>
  reply(status, JSON.stringify(value), headers)

/** Bytes as they are, then the end of the connection. */
export const raw =
  (bytes: string): Behaviour =>
  (socket) => {
    socket.end(bytes)
  }

/** Accepts the request and never says a word. */
export const hang: Behaviour = () => undefined

/** Accepts the request and resets the connection. */
export const reset: Behaviour = (socket) => {
  socket.resetAndDestroy()
}

/** Promises a body and stops after the first byte. */
export const stall: Behaviour = (socket) => {
  socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{')
}

/** A proper answer, one byte at a time, for as long as anyone listens. */
export const drip: Behaviour = async (socket) => {
  socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n')
  while (!socket.destroyed) {
    socket.write('1\r\n \r\n')
    await delay(20)
  }
}

/** Says `first`, and then `piece` again and again, as fast as it is read. */
export const endless =
  (first: string, piece: string): Behaviour =>
  async (socket) => {
    const pieces = piece.repeat(Math.ceil(65_536 / piece.length))
    socket.write(first)
    while (!socket.destroyed) {
      if (!socket.write(pieces))
        await new Promise((go) => {
          socket.once('drain', go).once('close', go)
        })
      socket.removeAllListeners('drain')
    }
  }

/** JSON without an end, as fast as it is read. */
export const flood: Behaviour = endless(
  'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n',
  `10000\r\n${' '.repeat(65_536)}\r\n`,
)
