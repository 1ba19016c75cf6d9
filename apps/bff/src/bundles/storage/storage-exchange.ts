import { request, type IncomingMessage } from 'node:http'
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { timedOut } from './bundle-failures.ts'
import { hurriedBody, socketBody, type StorageBody } from './storage-body.ts'
import { readBuffers } from './read-buffers.ts'

/** Status and headers of an answer, and its body still to come. */
export type StorageExchange = { status: number; headers: IncomingMessage['headers']; body: StorageBody }

/** How long each part of an exchange may take, in milliseconds; `bodyMs` is for one piece while somebody waits for it. */
export type StorageTimeouts = { connectMs: number; headersMs: number; bodyMs: number }

// Storage that sends more headers than this is not one.
const maxHeaderSize = 32_768
/** Interim answers have no limit of their own: of everything before the answer itself no more is read than this. */
const mostBefore = 8 * maxHeaderSize

const framing = ({ headers }: IncomingMessage): { direct: boolean; length: number | null } => {
  const { 'transfer-encoding': coding, 'content-length': length } = headers
  return { direct: coding === undefined, length: length === undefined ? null : Number(length) }
}

// An address is no name of a server (RFC 6066 §3), nor is one with the dot of the root. The certificate is checked all the same.
const named = (host: string) => (isIP(host) === 0 ? { servername: host.replace(/\.$/, '') } : {})

/** What node:http had taken out of the first read beyond the headers. */
const readAhead = (answer: IncomingMessage): Uint8Array[] => {
  const pieces: Uint8Array[] = []
  for (let piece = answer.read() as Uint8Array | null; piece !== null; piece = answer.read() as Uint8Array | null)
    pieces.push(piece)
  return pieces
}

/**
 * One GET over a connection of its own; rejects with the error of the socket, the parser or a time-out, which may hold the link.
 *
 * node:http writes the request and parses status, headers and chunked bodies. A body that is nothing but bytes goes past it, from the
 * socket's own buffers to the reader: node:http would copy every piece into new memory, which costs more than sending it.
 */
export const exchangeWithStorage = (
  url: URL,
  options: {
    headers: Record<string, string>
    lookup: LookupFunction
    timeouts: StorageTimeouts
    signal: AbortSignal
    /** Hears of the connection, to be able to end it. */
    onSocket: (socket: Socket) => void
  },
): Promise<StorageExchange> =>
  new Promise((resolve, reject) => {
    const { connectMs, headersMs, bodyMs } = options.timeouts
    const buffers = readBuffers()
    let answer: IncomingMessage | null = null
    let before = 0
    let direct: ((bytes: number) => boolean) | null = null

    const begin = (received: IncomingMessage) => {
      const { direct: isDirect, length } = framing(received)
      const { statusCode: status = 0, headers } = received
      if (!isDirect) return resolve({ status, headers, body: hurriedBody(received, socket, bodyMs) })
      const ahead = readAhead(received)
      const source = socketBody({ socket, buffers, ahead, length: received.complete ? 0 : length, bodyMs })
      direct = source.onRead
      resolve({ status, headers, body: source.body })
    }
    const onread = {
      buffer: () => buffers.next(),
      callback: (bytes: number, memory: Uint8Array) => {
        if (direct !== null) return direct(bytes)
        if (answer === null) before += bytes
        if (before > mostBefore) {
          asked.destroy(
            Object.assign(new Error('The storage does not begin to answer.'), { code: 'HPE_HEADER_OVERFLOW' }),
          )
          return false
        }
        // As if the socket had no buffers of ours.
        socket.emit('data', memory.subarray(0, bytes))
        if (answer !== null && direct === null) begin(answer)
        return true
      },
    }

    const host = url.hostname.replace(/^\[|\]$/g, '')
    const target = {
      host,
      port: Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
      onread,
      lookup: options.lookup,
    }
    const socket: Socket =
      url.protocol === 'https:'
        ? connectSecurely({ ...target, ...named(host), ALPNProtocols: ['http/1.1'] })
        : connect(target)
    options.onSocket(socket)

    const asked = request({
      method: 'GET',
      path: `${url.pathname}${url.search}`,
      headers: { host: url.host, ...options.headers },
      setHost: false,
      maxHeaderSize,
      signal: options.signal,
      createConnection: () => socket,
    })
    const limit = (ms: number) => setTimeout(() => asked.destroy(timedOut()), ms)
    let timer = limit(connectMs)
    const settled = () => clearTimeout(timer)
    socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer)
      timer = limit(headersMs)
    })
    asked.on('response', (received) => {
      settled()
      // Whoever reads it hears of failures; one that comes while nobody does must not end the process.
      received.on('error', () => {})
      answer = received
    })
    asked.on('error', reject)
    asked.on('close', () => {
      settled()
      reject(Object.assign(new Error('The storage closed the connection.'), { code: 'ECONNRESET' }))
    })
    asked.end()
  })
