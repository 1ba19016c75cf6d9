import type { ServerResponse } from 'node:http'
import { AppError } from '#errors/app-error.ts'
import { securityHeaderValues } from '#http/security-headers.ts'
import type { Download } from './bundles.service.ts'

/**
 * Writes a download straight into the connection, no faster than the client takes it; false when the client went away, or took
 * nothing for `stalledMs` (it can resume by Range). Throws when the bytes end early, and cuts the connection first: a broken transfer
 * must not look like a short file.
 */
export const sendDownload = async (
  { status, headers, bytes, delivered }: Download,
  response: ServerResponse,
  { requestId, stalledMs }: { requestId: string; stalledMs: number },
): Promise<boolean> => {
  response.writeHead(status, { ...securityHeaderValues, ...headers, 'X-Request-Id': requestId })
  let left = response.destroyed
  let onLeft = () => {}
  const leave = () => {
    left = true
    onLeft()
  }
  response.once('close', leave)
  response.once('timeout', () => response.destroy())
  /** Waits until the connection has taken what `write` gives it: only then may its memory be used again. */
  const taken = async (write: (done: (error?: Error | null) => void) => void) => {
    // A reader that stops would hold the storage's connection as long as it keeps its own; one that is slow still takes some.
    response.setTimeout(stalledMs)
    await new Promise<void>((resolve, reject) => {
      onLeft = () => reject(new Error('The client went away.'))
      if (left) return onLeft()
      write((error) => (error ? leave() : resolve()))
    })
  }
  try {
    for await (const chunk of bytes ?? []) {
      await taken((done) => response.write(chunk, done))
      // Waiting for the storage is not the reader's fault.
      response.setTimeout(0)
    }
    await taken((done) => response.end(done))
  } catch (error) {
    const wasLeft = left
    response.destroy()
    if (wasLeft) return false
    throw error
  }
  await delivered()
  return true
}

/** Room for downloads: each holds a connection to the storage and one to its reader. */
export type DownloadSlots = {
  /** Takes one; the function it gives frees it. Throws `busy` when all are taken. */
  take: () => () => void
}

const retryAfterMs = 15_000

/** `most` downloads at the same time. */
export const downloadSlots = (most: number): DownloadSlots => {
  let taken = 0
  return {
    take: () => {
      if (taken >= most)
        throw new AppError('busy', 'Too many downloads run at the same time. Try again in a moment.', { retryAfterMs })
      taken += 1
      return () => void (taken -= 1)
    },
  }
}
