import { z } from '@hono/zod-openapi'
import { apiRoute, apiRoutes, failure } from '#ground/http/api-routes.ts'
import { attachmentHeaders } from './attachment.ts'
import { bundleMediaTypes } from './bundle-format.ts'
import type { StoredBundleService } from './stored-bundles.ts'
import type { StreamDownload } from './stream-download.ts'

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

/** `/api/static-exports/{exportId}/bundle…`, `…/download…` and `…/artifact/file`: bundles of completed exports. */
export const bundleRoutes = (bundles: StoredBundleService, stream: StreamDownload) => {
  const send: typeof stream = (c, open) =>
    stream(c, async (request, context) => {
      await bundles.ensureMay(c.req.param('exportId') ?? '', c.var.identity)
      return open(request, context)
    })
  return apiRoutes()
    .serve(link, (c) => bundles.link(c.req.valid('param').exportId, c.var.actor))
    .serve(prepare, (c) => bundles.prepare(c.req.valid('param').exportId, c.var.actor))
    .serve(download, (c) =>
      send(c, (request, context) => bundles.download(c.req.valid('param').exportId, request, context)),
    )
    .serve(zip, (c) => send(c, (request, context) => bundles.zip(c.req.valid('param').exportId, request, context)))
    .serve(checksum, async (c): Promise<Response> => {
      const { fileName, text } = await bundles.checksum(c.req.valid('param').exportId)
      return c.body(text, 200, attachmentHeaders(fileName, 'text/plain; charset=utf-8'))
    })
    .serve(file, (c) => {
      const { path } = c.req.valid('query')
      const { exportId } = c.req.valid('param')
      return send(c, (request, context) => bundles.file(exportId, request, { ...context, path }))
    })
}
