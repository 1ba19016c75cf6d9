import type { LookupFunction, Socket } from 'node:net'
import type { AddressRule } from '@docket/outbound/addresses'
import { outboundAgent } from '@docket/outbound/outbound'
import type { Dispatcher } from 'undici'
import { timedOut } from './bundle-failures.ts'

/** Body of a response. Read it or destroy it. */
type StorageBody = AsyncIterable<Uint8Array> & { destroy: () => void }

// Bundle storage needs far fewer headers.
const maxHeaderBytes = 32_768
// Beyond this, the framing must be shorter than the body: interim responses, chunk extensions and tiny chunks carry nothing.
const maxFramingBytes = 1_048_576
const checkMs = 50

const unusable = (code: string) => Object.assign(new Error('The storage sent no usable response.'), { code })

/**
 * Sends one GET over a connection of its own. Limits in milliseconds: `headersMs` for all headers together, `bodyMs` for one piece of the
 * body while a reader waits for it. Rejects with an error that may contain the link.
 */
export const requestStorage = async (
  url: URL,
  options: {
    headers: Record<string, string>
    allows: AddressRule
    lookup: LookupFunction
    timeouts: { connectMs: number; headersMs: number; bodyMs: number }
    signal: AbortSignal
  },
): Promise<{ status: number; headers: Dispatcher.ResponseData['headers']; body: StorageBody }> => {
  const { headers, allows, lookup, timeouts, signal } = options
  let hasHeaders = false
  let bodyBytes = 0
  /** Ends a connection that is late with its headers, or carries more framing than body. */
  const watch = (socket: Socket) => {
    const from = performance.now()
    const check = setInterval(() => {
      if (!hasHeaders && performance.now() - from > timeouts.headersMs) socket.destroy(timedOut())
      if (socket.bytesRead > maxFramingBytes + 2 * bodyBytes) socket.destroy(unusable('TOO_MUCH_FRAMING'))
    }, checkMs)
    socket.once('close', () => clearInterval(check))
  }
  const agent = outboundAgent({
    allows,
    skipsForbidden: true,
    lookup,
    connectMs: timeouts.connectMs,
    onSocket: watch,
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: 0,
    bodyTimeout: timeouts.bodyMs,
  })
  const end = () => void agent.destroy()
  try {
    const path = `${url.pathname}${url.search}`
    const answer = await agent.request({ origin: url.origin, method: 'GET', path, headers, signal, reset: true })
    hasHeaders = true
    // The reader gets failures. Without this listener, one that has no reader would end the process.
    answer.body.on('error', () => {}).once('close', end)
    const coding = answer.headers['transfer-encoding']
    if (coding !== undefined && String(coding).trim().toLowerCase() !== 'chunked') throw unusable('UNKNOWN_CODING')
    async function* read() {
      for await (const piece of answer.body as AsyncIterable<Uint8Array>) {
        bodyBytes += piece.length
        yield piece
      }
    }
    const body = { [Symbol.asyncIterator]: read, destroy: () => void answer.body.destroy() }
    return { status: answer.statusCode, headers: answer.headers, body }
  } catch (error) {
    end()
    throw error
  }
}
