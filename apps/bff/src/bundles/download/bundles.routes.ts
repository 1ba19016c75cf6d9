import { apiRoutes } from '#ground/http/api-routes.ts'
import { attachmentHeaders } from './attachment.ts'
import type { StoredBundleService } from './stored-bundles.ts'
import type { StreamDownload } from './stream-download.ts'

/** `/api/static-exports/{exportId}/bundle…`, `…/download…` and `…/artifact/file`: bundles of completed exports. */
export const bundleRoutes = (bundles: StoredBundleService, stream: StreamDownload) => {
  const send: typeof stream = (c, open) =>
    stream(c, async (request, context) => {
      await bundles.ensureMay(c.req.param('exportId') ?? '', c.var.identity)
      return open(request, context)
    })
  return apiRoutes()
    .serve('POST /api/static-exports/{exportId}/bundle', (c) =>
      bundles.link(c.req.valid('param').exportId, c.var.actor),
    )
    .serve('POST /api/static-exports/{exportId}/bundle/prepare', (c) =>
      bundles.prepare(c.req.valid('param').exportId, c.var.actor),
    )
    .serve('GET /api/static-exports/{exportId}/download', (c) =>
      send(c, (request, context) => bundles.download(c.req.valid('param').exportId, request, context)),
    )
    .serve('GET /api/static-exports/{exportId}/download/zip', (c) =>
      send(c, (request, context) => bundles.zip(c.req.valid('param').exportId, request, context)),
    )
    .serve('GET /api/static-exports/{exportId}/download/sha256', async (c): Promise<Response> => {
      const { fileName, text } = await bundles.checksum(c.req.valid('param').exportId)
      return c.body(text, 200, attachmentHeaders(fileName, 'text/plain; charset=utf-8'))
    })
    .serve('GET /api/static-exports/{exportId}/artifact/file', (c) => {
      const { path } = c.req.valid('query')
      const { exportId } = c.req.valid('param')
      return send(c, (request, context) => bundles.file(exportId, request, { ...context, path }))
    })
}
