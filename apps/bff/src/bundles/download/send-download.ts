import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { AppError } from '#ground/errors/app-error.ts'
import { securityHeaderValues } from '#ground/http/security-headers.ts'

/** A download as its client asks for it. */
export type DownloadRequest = {
  isHead: boolean
  range: string | undefined
  ifRange: string | undefined
  ifNoneMatch: string | undefined
  acceptEncoding: string | undefined
}

/** A response that can begin. `bytes` is null without a body. */
export type Download = {
  status: 200 | 206 | 303 | 304 | 416
  headers: Record<string, string>
  bytes: AsyncIterable<Uint8Array> | null
  /** Call it when the client has everything. */
  delivered: () => Promise<void>
}

const leaving = new Set<unknown>(['ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR', 'ECONNRESET', 'EPIPE'])

/** True for a client that went away, or took nothing for too long. */
export const hasLeft = (error: unknown): boolean => error instanceof Error && 'code' in error && leaving.has(error.code)

/**
 * Writes a download to the connection at the pace of the client. Rejects when the client leaves or takes nothing for `stalledMs`, or when
 * the bytes end early, and cuts the connection first: a broken transfer must not look like a short file.
 */
export const sendDownload = async (
  { status, headers, bytes, delivered }: Download,
  response: ServerResponse,
  { requestId, stalledMs }: { requestId: string; stalledMs: number },
): Promise<void> => {
  response.writeHead(status, { ...securityHeaderValues, ...headers, 'X-Request-Id': requestId })
  // Without a listener, Node ends the connection. A stopped reader would block a connection to the storage; a slow one
  // still takes some bytes.
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
    if (left !== 0 || !hasLeft(error)) throw error
  })
  await delivered()
}

const retryAfterMs = 15_000

/** Limits concurrent downloads to `max`, because each uses a connection to the storage and one to its reader. */
export const downloadSlots = (max: number) => {
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
