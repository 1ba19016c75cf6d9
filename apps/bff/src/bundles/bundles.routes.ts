import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { apiRoute, apiRoutes, failure } from '#http/api-routes.ts'
import type { AppEnv } from '#http/app-env.ts'
import { bundleMediaTypes } from './bundle-format.ts'
import type { BundleService } from './bundles.service.ts'
import { downloadSlots, sendDownload } from './send-download.ts'

const link = apiRoute('POST', '/api/static-exports/{exportId}/bundle', {
  summary: 'A new link to the bundle; it is a secret that expires',
  answer: 'The link.',
})
const prepare = apiRoute('POST', '/api/static-exports/{exportId}/bundle/prepare', {
  summary: 'Make the bundle ready and learn its size',
  answer: 'The bundle is there.',
})
const file = { schema: z.string().openapi({ format: 'binary' }) }
const archive = Object.fromEntries([...bundleMediaTypes].map((type) => [type, file]))
const download = apiRoute('GET', '/api/static-exports/{exportId}/download', {
  summary: 'The bundle itself; Range and If-Range resume a download',
  responses: {
    200: { description: 'The archive.', content: archive },
    206: { description: 'The part asked for.', content: archive },
    303: { description: 'Where it is, with `BUNDLE_DELIVERY=redirect`.' },
    416: { description: 'The part asked for does not exist.' },
    ...failure,
  },
})

/** Streams past Hono: its Response would copy every piece of a large file through web streams. */
const stream = async (
  c: Context<AppEnv>,
  bundles: Omit<BundleService, 'close'>,
  { exportId, stalledMs }: { exportId: string; stalledMs: number },
): Promise<Response> => {
  const { outgoing } = c.env
  const gone = new AbortController()
  outgoing.once('close', () => gone.abort())
  const ask = { range: c.req.header('range'), ifRange: c.req.header('if-range'), by: c.var.actor }
  try {
    const found = await bundles.download(exportId, ask, gone.signal)
    const complete = await sendDownload(found, outgoing as Parameters<typeof sendDownload>[1], {
      requestId: c.var.requestId,
      stalledMs,
    })
    c.var.log.debug({ exportId, complete }, 'bundle sent')
  } catch (error) {
    // Before the first byte, a failure is an ordinary error. Afterwards the connection is already cut.
    if (!outgoing.headersSent && !gone.signal.aborted) throw error
    if (!gone.signal.aborted || outgoing.headersSent) c.var.log.warn({ err: error, exportId }, 'a download broke off')
  }
  return RESPONSE_ALREADY_SENT
}

/** Maximum concurrent downloads, and maximum wait for a reader that takes nothing. */
type Limits = { maxDownloads?: number; stalledMs?: number }

/** `/api/static-exports/{exportId}/bundle…` and `…/download`: bundles of completed exports. */
export const bundleRoutes = (
  bundles: Omit<BundleService, 'close'>,
  delivery: 'stream' | 'redirect',
  limits: Limits = {},
) => {
  const { maxDownloads = 128, stalledMs = 120_000 } = limits
  const slots = downloadSlots(maxDownloads)
  return apiRoutes()
    .serve(link, (c) => bundles.link(c.req.valid('param').exportId, c.var.actor))
    .serve(prepare, (c) => bundles.prepare(c.req.valid('param').exportId, c.var.actor))
    .serve(download, async (c): Promise<Response> => {
      const { exportId } = c.req.valid('param')
      // A HEAD request is rarely followed by a download, so it requests no link.
      if (c.req.method === 'HEAD') return c.body(null, 200, await bundles.peek(exportId))
      if (delivery === 'stream') {
        const free = slots.take()
        return stream(c, bundles, { exportId, stalledMs }).finally(free)
      }
      const target = await bundles.redirect(exportId, c.var.actor)
      c.header('Cache-Control', 'no-store')
      c.header('Referrer-Policy', 'no-referrer')
      return c.redirect(target, 303)
    })
}
