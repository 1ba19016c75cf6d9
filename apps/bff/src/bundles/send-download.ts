import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
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
  const closed = new AbortController()
  response.once('close', () => closed.abort())
  const taken = async (event: 'drain' | 'finish') => {
    // A reader that stops would hold the storage's connection as long as it keeps its own.
    const stalled = setTimeout(() => response.destroy(), stalledMs)
    await once(response, event, { signal: closed.signal }).finally(() => clearTimeout(stalled))
  }
  try {
    for await (const chunk of bytes ?? []) if (!response.write(chunk)) await taken('drain')
    const finished = taken('finish')
    response.end()
    await finished
  } catch (error) {
    const left = closed.signal.aborted
    response.destroy()
    if (left) return false
    throw error
  }
  await delivered()
  return true
}
