import { ProxyFailed } from '@docket/outbound/proxy'
import type { Dispatcher } from 'undici'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'

/** undici reports on this channel which connection a request uses. */
const requestLeaves = 'undici:client:sendHeaders'
const everyMs = 50

/**
 * Closes a watched connection, with the code `TOO_LARGE`, that has read more than `maxBytes` since its last request. Interim responses,
 * chunk extensions and other bytes outside of a body have no other limit. Checks every 50 ms.
 */
export const createWireLimit = (maxBytes: number): { watch: (socket: Socket) => void; close: () => void } => {
  const from = new Map<Socket, number>()
  const tooLarge = () => Object.assign(new Error('too large'), { code: 'TOO_LARGE' })
  const check = () => {
    for (const [socket, read] of from) if (socket.bytesRead - read > maxBytes) socket.destroy(tooLarge())
  }
  const onLeave = (message: unknown) => {
    const { socket } = message as { socket: Socket }
    if (from.has(socket)) from.set(socket, socket.bytesRead)
  }
  let timer: NodeJS.Timeout | undefined
  subscribe(requestLeaves, onLeave)
  return {
    watch: (socket) => {
      from.set(socket, socket.bytesRead)
      timer ??= setInterval(check, everyMs).unref()
      socket.once('close', () => {
        from.delete(socket)
        if (from.size > 0) return
        clearInterval(timer)
        timer = undefined
      })
    },
    close: () => {
      clearInterval(timer)
      unsubscribe(requestLeaves, onLeave)
    },
  }
}

/** `path` is sent unchanged, byte for byte. */
export type ExchangeRequest = {
  origin: string
  path: string
  method: 'GET' | 'POST' | 'DELETE'
  headers: Record<string, string>
  body?: string | undefined
}

/** Limits in milliseconds, and in bytes on the wire. */
export type ExchangeLimits = { headersMs: number; bodyMs: number; totalMs: number; maxBytes: number }

/** `code` is an identifier (`ECONNREFUSED`, `UND_ERR_…`), because messages may quote the request. `why` is our own sentence about a proxy. */
export type Breakdown = { kind: 'timeout' | 'broken' | 'malformed' | 'too_large'; code: string; why?: string }

/** `hasLeft` is false only when no byte of the request was sent. */
export type Exchange = {
  hasLeft: boolean
  status: number | null
  headers: Record<string, string>
  body: Buffer
  breakdown: Breakdown | null
}

/** A body in tiny pieces uses a hundred times its size in memory; normal bodies arrive in a few pieces. */
const maxPieces = 4096

const timeoutCodes = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
])

const toBreakdown = (error: unknown): Breakdown => {
  if (error instanceof ProxyFailed) return { kind: 'broken', code: error.code, why: error.message }
  // undici sets no code for some errors of its parser.
  if (error instanceof Error && error.name === 'HTTPParserError') return { kind: 'malformed', code: 'NOT_HTTP' }
  const raw = error instanceof Error && 'code' in error ? String(error.code) : ''
  const code = /^[A-Z][A-Z0-9_]{1,60}$/.test(raw) ? raw : 'UNKNOWN'
  if (code === 'TOO_LARGE') return { kind: 'too_large', code }
  if (timeoutCodes.has(code)) return { kind: 'timeout', code }
  return { kind: /^UND_ERR_(HEADERS_OVERFLOW|INVALID|NOT_SUPPORTED)/.test(code) ? 'malformed' : 'broken', code }
}

/**
 * Sends one request once and reads the response within the limits. Never rejects, redirects or retries. Uses the lowest level of the
 * dispatcher, because only that level reports whether sending of a request began.
 */
export const exchange = (dispatcher: Dispatcher, request: ExchangeRequest, limits: ExchangeLimits): Promise<Exchange> =>
  new Promise((resolve) => {
    const result: Exchange = { hasLeft: false, status: null, headers: {}, body: Buffer.alloc(0), breakdown: null }
    const chunks: Buffer[] = []
    let bytes = 0
    let over = false
    let controller: Dispatcher.DispatchController | null = null

    const end = (breakdown: Breakdown | null) => {
      if (over) return
      over = true
      clearTimeout(timer)
      // The beginning of a body that is too large is useless.
      const body = breakdown?.kind === 'too_large' ? Buffer.alloc(0) : Buffer.concat(chunks)
      resolve({ ...result, body, breakdown })
      if (breakdown !== null) controller?.abort(new Error('given up'))
    }
    const timer = setTimeout(() => end({ kind: 'timeout', code: 'TOTAL_TIMEOUT' }), limits.totalMs)

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (started) => {
        // A second start would be a retry, and a start after the end would be unobserved.
        if (over || result.hasLeft) return started.abort(new Error('not sent'))
        result.hasLeft = true
        controller = started
      },
      onResponseStart: (_controller, status, headers) => {
        if (status < 200) return
        result.status = status
        for (const [name, value] of Object.entries(headers)) {
          if (value !== undefined) result.headers[name] = Array.isArray(value) ? value.join(', ') : value
        }
      },
      onResponseData: (_controller, chunk) => {
        bytes += chunk.length
        if (bytes > limits.maxBytes || chunks.length >= maxPieces) end({ kind: 'too_large', code: 'TOO_LARGE' })
        else if (!over) chunks.push(Buffer.from(chunk))
      },
      onResponseEnd: () => end(null),
      onResponseError: (_controller, error) => end(toBreakdown(error)),
    }
    try {
      dispatcher.dispatch(
        {
          ...request,
          body: request.body ?? null,
          headersTimeout: limits.headersMs,
          bodyTimeout: limits.bodyMs,
        },
        handler,
      )
    } catch (error) {
      end(toBreakdown(error))
    }
  })
