import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'
import type { AppEnv } from '#ground/http/app-env.ts'
import type { Actor } from '#ground/identity/actor.ts'
import { type Download, type DownloadRequest, downloadSlots, hasLeft, sendDownload } from './send-download.ts'

/** Maximum concurrent downloads, and maximum wait for a reader that takes nothing. */
type Limits = { maxDownloads?: number; stalledMs?: number }

type Open = (request: DownloadRequest, context: { by: Actor; signal: AbortSignal }) => Promise<Download>

/** Opens a download and sends it. */
export type StreamDownload = (c: Context<AppEnv>, open: Open) => Promise<Response>

/** Downloads of every route, which share their slots. Streams past Hono: its Response would copy every piece through web streams. */
export const downloadStreams = (limits: Limits = {}): StreamDownload => {
  const { maxDownloads = 128, stalledMs = 120_000 } = limits
  const slots = downloadSlots(maxDownloads)
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
      c.var.log[hasLeft(error) ? 'debug' : 'warn']({ err: error, path: c.req.path }, 'a download broke off')
    } finally {
      free()
    }
    return RESPONSE_ALREADY_SENT
  }
}
