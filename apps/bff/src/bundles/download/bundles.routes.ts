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
    .serve('POST /api/static-exports/{exportId}/bundle', ({ exportId, by }) => createLink(ctx, exportId, by))
    .serve('POST /api/static-exports/{exportId}/bundle/prepare', ({ exportId, query, by }) =>
      prepareDownload(ctx, exportId, { by, ...query }),
    )
    .serve('GET /api/static-exports/{exportId}/download', ({ exportId, query }, c) =>
      send(c, (request, context) => downloadBundle(ctx, exportId, request, { ...context, ...query })),
    )
    .serve('GET /api/static-exports/{exportId}/download/zip', ({ exportId }, c) =>
      send(c, (request, context) => downloadZip(ctx, exportId, request, context)),
    )
    .serve('GET /api/static-exports/{exportId}/download/sha256', async ({ exportId }, c): Promise<Response> => {
      const { fileName, text } = await describeChecksum(ctx, exportId)
      return c.body(text, 200, buildAttachmentHeaders(fileName, 'text/plain; charset=utf-8'))
    })
    .serve('GET /api/static-exports/{exportId}/artifact/file', ({ exportId, query }, c) =>
      send(c, (request, context) => downloadFile(ctx, exportId, request, { ...context, path: query.path })),
    )
}
