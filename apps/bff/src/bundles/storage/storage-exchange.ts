import { request, type IncomingMessage } from 'node:http'
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { chunkedFrame, plainFrame, type BodyFrame } from './body-frame.ts'
import { timedOut } from './bundle-failures.ts'
import { socketBody, type StorageBody } from './storage-body.ts'
import { readBuffers } from './read-buffers.ts'

/** Status and headers of an answer, and its body still to come. */
export type StorageExchange = { status: number; headers: IncomingMessage['headers']; body: StorageBody }

/** How long each part of an exchange may take, in milliseconds; `bodyMs` is for one piece while somebody waits for it. */
export type StorageTimeouts = { connectMs: number; headersMs: number; bodyMs: number }

// Storage that sends more headers than this is not one.
const maxHeaderSize = 32_768
/** Interim answers have no limit of their own: of everything before the answer itself no more is read than this. */
const mostBefore = 8 * maxHeaderSize
const lineFeed = 10

/** Bytes of the body; null when nobody said. */
const lengthOf = ({ headers, complete }: IncomingMessage): number | null => {
  if (complete) return 0
  const length = headers['content-length']
  return length === undefined ? null : Number(length)
}

/** Null for a coding that nobody asked for (RFC 9112 §7.4). */
const frameOf = (answer: IncomingMessage): BodyFrame | null => {
  const coding = answer.headers['transfer-encoding']
  if (coding === undefined) return plainFrame(lengthOf(answer))
  return coding.trim().toLowerCase() === 'chunked' ? chunkedFrame() : null
}

// An address is no name of a server (RFC 6066 §3), nor is one with the dot of the root. The certificate is checked all the same.
const named = (host: string) => (isIP(host) === 0 ? { servername: host.replace(/\.$/, '') } : {})

const unusable = (code: string) => Object.assign(new Error('The storage does not answer as one.'), { code })

/**
 * One GET over a connection of its own; rejects with the error of the socket, the parser or a time-out, which may hold the link.
 *
 * node:http writes the request and parses status and headers. The body goes past it, from the socket's own buffers to the reader:
 * node:http would copy every piece into new memory, which costs more than sending it, and for a body in crumbs a hundred times more.
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

    const begin = (received: IncomingMessage, ahead: Uint8Array) => {
      const frame = frameOf(received)
      if (frame === null) return asked.destroy(unusable('HPE_INVALID_TRANSFER_ENCODING'))
      if (ahead.length > (lengthOf(received) ?? Infinity)) return asked.destroy(unusable('HPE_CLOSED_CONNECTION'))
      const { statusCode: status = 0, headers } = received
      const source = socketBody({ socket, buffers, frame, ahead, bodyMs })
      direct = source.onRead
      return resolve({ status, headers, body: source.body })
    }
    /** Up to the end of a line, so that nothing of the body reaches node:http. */
    const parse = (bytes: Buffer) => {
      const end = bytes.indexOf(lineFeed) + 1 || bytes.length
      // As if the socket had no buffers of ours.
      socket.emit('data', bytes.subarray(0, end))
      return bytes.subarray(end)
    }
    const onread = {
      buffer: () => buffers.next(),
      callback: (bytes: number, memory: Uint8Array) => {
        if (direct !== null) return direct(bytes)
        let rest: Buffer = Buffer.from(memory.buffer, memory.byteOffset, bytes)
        while (answer === null && rest.length > 0 && !socket.destroyed) {
          const length = rest.length
          rest = parse(rest)
          before += length - rest.length
          if (before > mostBefore) asked.destroy(unusable('HPE_HEADER_OVERFLOW'))
        }
        // What it lies in is used again at once.
        if (answer !== null) begin(answer, Buffer.from(rest))
        return !socket.destroyed
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
