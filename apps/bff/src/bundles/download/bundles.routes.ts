import { apiRoutes } from '#ground/http/api-routes.ts'
import { buildAttachmentHeaders, type StreamDownload } from './send-download.ts'
import {
  createLink,
  describeChecksum,
  type DownloadCtx,
  downloadBundle,
  downloadFile,
  downloadZip,
  ensureMayDownload,
  prepareDownload,
} from './stored-bundles.ts'

export const bundleRoutes = (ctx: DownloadCtx, stream: StreamDownload) => {
  const send: typeof stream = (c, open) =>
    stream(c, async (request, context) => {
      await ensureMayDownload(ctx, c.req.param('exportId') ?? '', c.var.identity)
      return open(request, context)
    })
  return apiRoutes()
    .serve('POST /api/static-exports/{exportId}/bundle', (c) =>
      createLink(ctx, c.req.valid('param').exportId, c.var.actor),
    )
    .serve('POST /api/static-exports/{exportId}/bundle/prepare', (c) =>
      prepareDownload(ctx, c.req.valid('param').exportId, { by: c.var.actor, ...c.req.valid('query') }),
    )
    .serve('GET /api/static-exports/{exportId}/download', (c) =>
      send(c, (request, context) =>
        downloadBundle(ctx, c.req.valid('param').exportId, request, { ...context, ...c.req.valid('query') }),
      ),
    )
    .serve('GET /api/static-exports/{exportId}/download/zip', (c) =>
      send(c, (request, context) => downloadZip(ctx, c.req.valid('param').exportId, request, context)),
    )
    .serve('GET /api/static-exports/{exportId}/download/sha256', async (c): Promise<Response> => {
      const { fileName, text } = await describeChecksum(ctx, c.req.valid('param').exportId)
      return c.body(text, 200, buildAttachmentHeaders(fileName, 'text/plain; charset=utf-8'))
    })
    .serve('GET /api/static-exports/{exportId}/artifact/file', (c) => {
      const { path } = c.req.valid('query')
      const { exportId } = c.req.valid('param')
      return send(c, (request, context) => downloadFile(ctx, exportId, request, { ...context, path }))
    })
}
