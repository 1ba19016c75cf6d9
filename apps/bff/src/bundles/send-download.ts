import type { ServerResponse } from 'node:http'
import { AppError } from '#errors/app-error.ts'
import { securityHeaderValues } from '#http/security-headers.ts'
import type { Download } from './bundles.service.ts'

/**
 * Writes a download to the connection at the pace of the client. False when the client left, or took nothing for `stalledMs`. Throws when
 * the bytes end early, and cuts the connection first: a broken transfer must not look like a short file.
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
  /** Waits until the connection has taken a chunk; only then its memory is free. */
  const writeOut = async (write: (done: (error?: Error | null) => void) => void) => {
    // Limit for a reader that takes no bytes. A stopped reader would block a connection to the storage; a slow one
    // still takes some bytes.
    response.setTimeout(stalledMs)
    await new Promise<void>((resolve, reject) => {
      onLeft = () => reject(new Error('The client went away.'))
      if (left) return onLeft()
      write((error) => (error ? leave() : resolve()))
    })
  }
  try {
    for await (const chunk of bytes ?? []) {
      await writeOut((done) => response.write(chunk, done))
      // Waiting for the storage is not the reader's fault.
      response.setTimeout(0)
    }
    await writeOut((done) => response.end(done))
  } catch (error) {
    const wasLeft = left
    response.destroy()
    if (wasLeft) return false
    throw error
  }
  await delivered()
  return true
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
