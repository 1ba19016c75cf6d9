import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { apiRoute, apiRoutes, failure } from '#http/api-routes.ts'
import type { AppEnv } from '#http/app-env.ts'
import type { Actor } from '#identity/actor.ts'
import { attachmentHeaders } from './attachment.ts'
import { bundleMediaTypes } from './bundle-format.ts'
import { type Download, type DownloadRequest, downloadSlots, hasLeft, sendDownload } from './send-download.ts'
import type { StoredBundleService } from './stored-bundles.ts'

const link = apiRoute('POST', '/api/static-exports/{exportId}/bundle', {
  summary: 'A new link to the bundle; it is a secret that expires',
  answer: 'The link.',
})
const prepare = apiRoute('POST', '/api/static-exports/{exportId}/bundle/prepare', {
  summary: 'Make the bundle ready and learn its size',
  answer: 'The bundle is there.',
})
const binary = { schema: z.string().openapi({ format: 'binary' }) }
const responses = (mediaTypes: Iterable<string>) => {
  const content = Object.fromEntries([...mediaTypes].map((type) => [type, binary]))
  return {
    200: { description: 'All of it.', content },
    206: { description: 'The part asked for.', content },
    304: { description: 'Unchanged since the `ETag` the reader sent.' },
    416: { description: 'The part asked for does not exist.' },
    ...failure,
  }
}
const download = apiRoute('GET', '/api/static-exports/{exportId}/download', {
  summary: 'The bundle itself; Range and If-Range resume a download',
  responses: {
    ...responses(bundleMediaTypes),
    303: { description: 'Where it is, with `BUNDLE_DELIVERY=redirect` and without a stored copy.' },
  },
})
const zip = apiRoute('GET', '/api/static-exports/{exportId}/download/zip', {
  summary: 'The files of a stored bundle as a ZIP; Range and If-Range resume a download',
  responses: responses(['application/zip']),
})
const checksum = apiRoute('GET', '/api/static-exports/{exportId}/download/sha256', {
  summary: 'The SHA-256 of a stored bundle with its file name, for `sha256sum -c`',
  responses: { 200: { description: 'One line.', content: { 'text/plain': { schema: z.string() } } }, ...failure },
})
const file = apiRoute('GET', '/api/static-exports/{exportId}/artifact/file', {
  summary: 'One file of a stored bundle, as an attachment',
  responses: responses(['application/octet-stream']),
})

/** Maximum concurrent downloads, and maximum wait for a reader that takes nothing. */
type Limits = { maxDownloads?: number; stalledMs?: number }

type Open = (request: DownloadRequest, context: { by: Actor; signal: AbortSignal }) => Promise<Download>

/** `/api/static-exports/{exportId}/bundle…`, `…/download…` and `…/artifact/file`: bundles of completed exports. */
export const bundleRoutes = (bundles: StoredBundleService, limits: Limits = {}) => {
  const { maxDownloads = 128, stalledMs = 120_000 } = limits
  const slots = downloadSlots(maxDownloads)

  /** Streams past Hono: its Response would copy every piece of a large file through web streams. */
  const stream = async (c: Context<AppEnv>, open: Open): Promise<Response> => {
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

  return apiRoutes()
    .serve(link, (c) => bundles.link(c.req.valid('param').exportId, c.var.actor))
    .serve(prepare, (c) => bundles.prepare(c.req.valid('param').exportId, c.var.actor))
    .serve(download, (c) =>
      stream(c, (request, context) => bundles.download(c.req.valid('param').exportId, request, context)),
    )
    .serve(zip, (c) => stream(c, (request, context) => bundles.zip(c.req.valid('param').exportId, request, context)))
    .serve(checksum, async (c): Promise<Response> => {
      const { fileName, text } = await bundles.checksum(c.req.valid('param').exportId)
      return c.body(text, 200, attachmentHeaders(fileName, 'text/plain; charset=utf-8'))
    })
    .serve(file, (c) => {
      const { path } = c.req.valid('query')
      const { exportId } = c.req.valid('param')
      return stream(c, (request, context) => bundles.file(exportId, request, { ...context, path }))
    })
}
