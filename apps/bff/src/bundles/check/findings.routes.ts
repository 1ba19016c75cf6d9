import { apiRoutes } from '#ground/http/api-routes.ts'
import { streamFile, toCsv } from '#ground/http/csv.ts'
import { findingColumns, toFindingRows } from './findings.csv.ts'
import type { FindingService } from './findings.service.ts'

async function* toJson(all: readonly object[]) {
  yield '[\n'
  for (const [place, one] of all.entries()) yield `${JSON.stringify(one)}${place + 1 < all.length ? ',' : ''}\n`
  yield ']\n'
}

/** `/api/static-exports/{exportId}/artifact/…`: pages, files and findings of stored bundles. */
export const findingRoutes = (service: FindingService) =>
  apiRoutes()
    .serve('GET /api/static-exports/{exportId}/artifact/pages', (c) =>
      service.pages(c.req.valid('param').exportId, c.req.valid('query')),
    )
    .serve('GET /api/static-exports/{exportId}/artifact/files', (c) =>
      service.files(c.req.valid('param').exportId, c.req.valid('query')),
    )
    .serve('GET /api/static-exports/{exportId}/artifact/findings', (c) =>
      service.findings(c.req.valid('param').exportId, c.req.valid('query')),
    )
    .serve('GET /api/static-exports/{exportId}/artifact/findings.csv', async (c) => {
      const { now, findings: all } = await service.exportFindings(c.req.valid('param').exportId, c.req.valid('query'))
      return streamFile(c, { what: 'findings', ending: 'csv', now, texts: toCsv(findingColumns, toFindingRows(all)) })
    })
    .serve('GET /api/static-exports/{exportId}/artifact/findings.json', async (c) => {
      const { now, findings: all } = await service.exportFindings(c.req.valid('param').exportId, c.req.valid('query'))
      return streamFile(c, { what: 'findings', ending: 'json', now, texts: toJson(all) })
    })
    .serve('POST /api/static-exports/{exportId}/artifact/findings/{fingerprint}/acceptance', (c) =>
      service.accept(c.req.valid('param'), c.req.valid('json').reason, c.var.actor),
    )
    .serve('DELETE /api/static-exports/{exportId}/artifact/findings/{fingerprint}/acceptance', (c) =>
      service.withdraw(c.req.valid('param'), c.var.actor),
    )
