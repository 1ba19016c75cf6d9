import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { AppError } from '#ground/errors/app-error.ts'
import { securityHeaderValues } from '#ground/http/security-headers.ts'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'
import type { AppEnv } from '#ground/http/app-env.ts'
import type { Actor } from '#ground/identity/identity.ts'

const escapeRest = (text: string) =>
  text.replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

/** Headers that make a browser save a file under `fileName`, which may contain any characters, and never display it. */
export const buildAttachmentHeaders = (fileName: string, mediaType: string): Record<string, string> => ({
  'Accept-Ranges': 'bytes',
  'Cache-Control': 'no-store',
  'Content-Disposition': `attachment; filename="${fileName.replace(/[^\w.-]/g, '_')}"; filename*=UTF-8''${escapeRest(encodeURIComponent(fileName.toWellFormed()))}`,
  'Content-Type': mediaType,
  'X-Accel-Buffering': 'no',
})

type Limits = { maxDownloads?: number; stalledMs?: number }

type Open = (request: DownloadRequest, context: { by: Actor; signal: AbortSignal }) => Promise<Download>

export type StreamDownload = (c: Context<AppEnv>, open: Open) => Promise<Response>

/** Sends the downloads of all routes, which share the slots. Bypasses Hono, whose Response would copy every piece through web streams. */
export const createDownloadStreams = (limits: Limits = {}): StreamDownload => {
  const { maxDownloads = 128, stalledMs = 120_000 } = limits
  const slots = createDownloadSlots(maxDownloads)
  return async (c, open) => {
    const outgoing = c.env.outgoing as Parameters<typeof sendDownload>[1]
    const isHead = c.req.method === 'HEAD'
    const free = isHead ? () => {} : slots.take()
    const gone = new AbortController()
    outgoing.once('close', () => gone.abort())
    const request = {
      isHead,
      range: c.req.header('range'),
      ifRange: c.req.header('if-range'),
      ifNoneMatch: c.req.header('if-none-match'),
      acceptEncoding: c.req.header('accept-encoding'),
    }
    try {
      const found = await open(request, { by: c.var.actor, signal: gone.signal })
      await sendDownload(found, outgoing, { requestId: c.var.requestId, stalledMs })
      c.var.log.debug({ path: c.req.path }, 'download sent')
    } catch (error) {
      // Before the first byte, a failure is an ordinary error. Afterwards the connection is already cut.
      if (!outgoing.headersSent && !gone.signal.aborted) throw error
      c.var.log[hasClientLeft(error) ? 'debug' : 'warn']({ err: error, path: c.req.path }, 'a download broke off')
    } finally {
      free()
    }
    return RESPONSE_ALREADY_SENT
  }
}

export type DownloadRequest = {
  isHead: boolean
  range: string | undefined
  ifRange: string | undefined
  ifNoneMatch: string | undefined
  acceptEncoding: string | undefined
}

/** `bytes` is null without a body. */
export type Download = {
  status: 200 | 206 | 303 | 304 | 416
  headers: Record<string, string>
  bytes: AsyncIterable<Uint8Array> | null
  /** Call it when the client has received everything. */
  delivered: () => Promise<void>
}

const leaving = new Set<unknown>(['ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR', 'ECONNRESET', 'EPIPE'])

/** The client disconnected, or accepted no bytes for too long. */
export const hasClientLeft = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && leaving.has(error.code)

/**
 * Writes a download to the connection at the pace of the client. Rejects when the client disconnects, accepts no bytes for `stalledMs`, or
 * the bytes end early. It cuts the connection first, because a broken transfer must not look like a short file.
 */
export const sendDownload = async (
  { status, headers, bytes, delivered }: Download,
  response: ServerResponse,
  { requestId, stalledMs }: { requestId: string; stalledMs: number },
): Promise<void> => {
  response.writeHead(status, { ...securityHeaderValues, ...headers, 'X-Request-Id': requestId })
  // Without a listener, Node ends the connection. A stalled reader would block a connection to the storage; a slow one still accepts some
  // bytes.
  response.setTimeout(stalledMs)
  let left = Number(headers['Content-Length'] ?? NaN)
  const count = async function* () {
    for await (const chunk of bytes ?? []) {
      yield chunk
      left -= chunk.length
    }
  }
  await pipeline(count, response).catch((error: unknown) => {
    // A client that has every byte may close the connection before the response ends.
    if (left !== 0 || !hasClientLeft(error)) throw error
  })
  await delivered()
}

const retryAfterMs = 15_000

/** Limits concurrent downloads to `max`, because each uses a connection to the storage and one to its reader. */
const createDownloadSlots = (max: number) => {
  let used = 0
  return {
    /** Takes a slot and returns the function that frees it. Throws `busy` when none is free. */
    take: () => {
      if (used >= max)
        throw new AppError('busy', 'Too many downloads are running. Try again in a moment.', { retryAfterMs })
      used += 1
      return () => void (used -= 1)
    },
  }
}
