import { request, type IncomingMessage } from 'node:http'
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { timedOut } from '#bundles/storage/bundle-failures.ts'
import { frameByChunks, frameByLength, type BodyFrame } from './body-frame.ts'
import { createReadBuffers } from './read-buffers.ts'
import { readSocketBody, type SocketBody } from './socket-body.ts'

/** Status, headers, and a body to read or destroy. */
export type RawResponse = { status: number; headers: IncomingMessage['headers']; body: SocketBody }

/** Limits in milliseconds. `bodyMs` is the limit for one piece while a reader waits for it. */
type RawTimeouts = { connectMs: number; headersMs: number; bodyMs: number }

// Bundle storage needs far fewer headers.
const maxHeaderBytes = 32_768
// Limits interim responses, which node:http does not count.
const maxBytesBeforeBody = 8 * maxHeaderBytes
const lineFeed = 10

/** Bytes of the body, or null without a stated length. */
const parseLength = ({ headers, complete }: IncomingMessage): number | null => {
  if (complete) return 0
  const length = headers['content-length']
  return length === undefined ? null : Number(length)
}

/** Null for a coding that Docket did not ask for (RFC 9112 §7.4). */
const chooseFrame = (message: IncomingMessage): BodyFrame | null => {
  const coding = message.headers['transfer-encoding']
  if (coding === undefined) return frameByLength(parseLength(message))
  return coding.trim().toLowerCase() === 'chunked' ? frameByChunks() : null
}

// TLS sends no address as a server name (RFC 6066 §3), and no trailing dot. It checks the certificate in either case.
const formatServerName = (host: string) => (isIP(host) === 0 ? { servername: host.replace(/\.$/, '') } : {})

const unusable = (code: string) => Object.assign(new Error('The storage sent no usable response.'), { code })

/**
 * Sends one GET over a connection of its own. `node:http` writes the request and parses status and headers; the body bypasses it into
 * reused buffers. Rejects with the error of the socket, of the parser or of a time-out, which may contain the link.
 */
export const getRaw = (
  url: URL,
  options: {
    headers: Record<string, string>
    lookup: LookupFunction
    timeouts: RawTimeouts
    signal: AbortSignal
    /** Receives the socket before it connects, so that the caller can end it. */
    onSocket: (socket: Socket) => void
  },
): Promise<RawResponse> =>
  new Promise((resolve, reject) => {
    const { connectMs, headersMs, bodyMs } = options.timeouts
    const buffers = createReadBuffers()
    let message: IncomingMessage | null = null
    let bytesBeforeBody = 0
    let onBodyRead: ((bytes: number) => boolean) | null = null

    const beginBody = (received: IncomingMessage, ahead: Uint8Array) => {
      const frame = chooseFrame(received)
      if (frame === null) return clientRequest.destroy(unusable('HPE_INVALID_TRANSFER_ENCODING'))
      if (ahead.length > (parseLength(received) ?? Infinity))
        return clientRequest.destroy(unusable('HPE_CLOSED_CONNECTION'))
      const { statusCode: status = 0, headers } = received
      const { body, onRead } = readSocketBody({ socket, buffers, frame, ahead, bodyMs })
      onBodyRead = onRead
      return resolve({ status, headers, body })
    }
    /** Hands one line to node:http, so that it never gets a byte of the body. Returns the rest. */
    const parseLine = (bytes: Buffer) => {
      const end = bytes.indexOf(lineFeed) + 1 || bytes.length
      // With `onread`, a socket emits no `data` events.
      socket.emit('data', bytes.subarray(0, end))
      return bytes.subarray(end)
    }
    const onread = {
      buffer: () => buffers.space(),
      callback: (bytes: number, memory: Uint8Array) => {
        if (onBodyRead !== null) return onBodyRead(bytes)
        let rest: Buffer = Buffer.from(memory.buffer, memory.byteOffset, bytes)
        while (message === null && rest.length > 0 && !socket.destroyed) {
          const { length } = rest
          rest = parseLine(rest)
          bytesBeforeBody += length - rest.length
          if (bytesBeforeBody > maxBytesBeforeBody) clientRequest.destroy(unusable('HPE_HEADER_OVERFLOW'))
        }
        // A copy, because the next read overwrites this memory.
        if (message !== null) beginBody(message, Buffer.from(rest))
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
        ? connectSecurely({ ...target, ...formatServerName(host), ALPNProtocols: ['http/1.1'] })
        : connect(target)
    options.onSocket(socket)

    const clientRequest = request({
      method: 'GET',
      path: `${url.pathname}${url.search}`,
      headers: { host: url.host, ...options.headers },
      setHost: false,
      maxHeaderSize: maxHeaderBytes,
      signal: options.signal,
      createConnection: () => socket,
    })
    const startTimer = (ms: number) => setTimeout(() => clientRequest.destroy(timedOut()), ms)
    let timer = startTimer(connectMs)
    const stopTimer = () => clearTimeout(timer)
    socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      stopTimer()
      timer = startTimer(headersMs)
    })
    clientRequest.on('response', (received) => {
      stopTimer()
      // The reader of the body gets failures. Without this listener, one that has no reader would end the process.
      received.on('error', () => {})
      message = received
    })
    clientRequest.on('error', reject)
    clientRequest.on('close', () => {
      stopTimer()
      reject(Object.assign(new Error('The storage closed the connection.'), { code: 'ECONNRESET' }))
    })
    clientRequest.end()
  })
