import { buildConnector, type Dispatcher } from 'undici'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'

/** What says on which connection a request leaves. */
const requestLeaves = 'undici:client:sendHeaders'
const everyMs = 50

/**
 * Ends a connection, with the code `TOO_LARGE`, that has read more than `mostBytes` since its last request left, whatever they were: interim
 * answers, extensions of chunks and other bytes that belong to no body have no limit of their own, and would be read as fast as
 * they come until the time is over. It is noticed after some milliseconds.
 */
export const wireLimit = (
  options: buildConnector.BuildOptions,
  mostBytes: number,
): { connect: buildConnector.connector; close: () => void } => {
  const from = new Map<Socket, number>()
  const connect = buildConnector(options)
  const tooLarge = () => Object.assign(new Error('too large'), { code: 'TOO_LARGE' })
  const check = () => {
    for (const [socket, read] of from) if (socket.bytesRead - read > mostBytes) socket.destroy(tooLarge())
  }
  const onLeave = (message: unknown) => {
    const { socket } = message as { socket: Socket }
    if (from.has(socket)) from.set(socket, socket.bytesRead)
  }
  let timer: NodeJS.Timeout | undefined
  subscribe(requestLeaves, onLeave)
  return {
    connect: (to, done) =>
      connect(to, (...outcome) => {
        const [failure, socket] = outcome
        if (failure === null) {
          from.set(socket, socket.bytesRead)
          timer ??= setInterval(check, everyMs).unref()
          socket.once('close', () => {
            from.delete(socket)
            if (from.size > 0) return
            clearInterval(timer)
            timer = undefined
          })
        }
        done(...outcome)
      }),
    close: () => {
      clearInterval(timer)
      unsubscribe(requestLeaves, onLeave)
    },
  }
}

/** One call, ready to be sent. `path` goes out byte for byte. */
export type ExchangeRequest = {
  origin: string
  path: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string | undefined
}

/** Milliseconds, and bytes as they travel. */
export type ExchangeLimits = { headersMs: number; bodyMs: number; totalMs: number; maxBytes: number }

/**
 * Why no complete answer came. `code` is the machine's word (`ECONNREFUSED`, `UND_ERR_…`), never a message: messages of the transport
 * may quote what was sent.
 */
export type Breakdown = { kind: 'timeout' | 'broken' | 'malformed' | 'too_large'; code: string }

/** What came of one call. `sent` is false only when it is certain that no byte of the request left. */
export type Exchange = {
  sent: boolean
  status: number | null
  headers: Record<string, string>
  body: Buffer
  breakdown: Breakdown | null
}

/** A body in crumbs costs a hundred times its size; honest ones come in a few pieces. */
const mostPieces = 4096

const timeoutCodes = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
])

const breakdownOf = (error: unknown): Breakdown => {
  // undici leaves the code out where its parser has no word for what it met.
  if (error instanceof Error && error.name === 'HTTPParserError') return { kind: 'malformed', code: 'NOT_HTTP' }
  const raw = error instanceof Error && 'code' in error ? String(error.code) : ''
  const code = /^[A-Z][A-Z0-9_]{1,60}$/.test(raw) ? raw : 'UNKNOWN'
  if (code === 'TOO_LARGE') return { kind: 'too_large', code }
  if (timeoutCodes.has(code)) return { kind: 'timeout', code }
  return { kind: /^UND_ERR_(HEADERS_OVERFLOW|INVALID|NOT_SUPPORTED)/.test(code) ? 'malformed' : 'broken', code }
}

/**
 * Sends one request once and reads the whole answer within the limits. Never rejects, follows nothing and repeats nothing.
 * The dispatcher is used at its lowest level because only there one learns whether a request began to leave.
 */
export const exchange = (dispatcher: Dispatcher, request: ExchangeRequest, limits: ExchangeLimits): Promise<Exchange> =>
  new Promise((resolve) => {
    const result: Exchange = { sent: false, status: null, headers: {}, body: Buffer.alloc(0), breakdown: null }
    const chunks: Buffer[] = []
    let bytes = 0
    let over = false
    let controller: Dispatcher.DispatchController | null = null

    const end = (breakdown: Breakdown | null) => {
      if (over) return
      over = true
      clearTimeout(timer)
      // Nobody reads the beginning of what is too large.
      const body = breakdown?.kind === 'too_large' ? Buffer.alloc(0) : Buffer.concat(chunks)
      resolve({ ...result, body, breakdown })
      if (breakdown !== null) controller?.abort(new Error('given up'))
    }
    const timer = setTimeout(() => end({ kind: 'timeout', code: 'TOTAL_TIMEOUT' }), limits.totalMs)

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (started) => {
        // A second start would be a repetition, and one after the end would leave unobserved.
        if (over || result.sent) return started.abort(new Error('not sent'))
        result.sent = true
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
        if (bytes > limits.maxBytes || chunks.length >= mostPieces) end({ kind: 'too_large', code: 'TOO_LARGE' })
        else if (!over) chunks.push(Buffer.from(chunk))
      },
      onResponseEnd: () => end(null),
      onResponseError: (_controller, error) => end(breakdownOf(error)),
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
      end(breakdownOf(error))
    }
  })
