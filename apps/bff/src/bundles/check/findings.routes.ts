import { z } from '@hono/zod-openapi'
import { apiRoute, apiRoutes, failure } from '#ground/http/api-routes.ts'
import { streamFile, toCsv } from '#ground/http/csv.ts'
import { findingColumns, toFindingRows } from './findings.csv.ts'
import type { FindingService } from './findings.service.ts'

const pages = apiRoute('GET', '/api/static-exports/{exportId}/artifact/pages', {
  summary: 'Pages of the stored bundle of an export',
  answer: 'Part of the pages, by address.',
})
const files = apiRoute('GET', '/api/static-exports/{exportId}/artifact/files', {
  summary: 'Files of the stored bundle of an export',
  answer: 'Part of the files, by path.',
})
const findings = apiRoute('GET', '/api/static-exports/{exportId}/artifact/findings', {
  summary: 'What the check of a stored bundle found, beside the bundle before',
  answer: 'Part of the findings, worst first.',
})
const csv = apiRoute('GET', '/api/static-exports/{exportId}/artifact/findings.csv', {
  summary: 'All findings that match the filters, as CSV with a line for each place',
  responses: {
    200: { description: 'The file.', content: { 'text/csv': { schema: z.string() } } },
    ...failure,
  },
})
const json = apiRoute('GET', '/api/static-exports/{exportId}/artifact/findings.json', {
  summary: 'All findings that match the filters, as JSON with all their places',
  responses: {
    200: { description: 'The file.', content: { 'application/json': { schema: z.array(z.object({})) } } },
    ...failure,
  },
})
const accept = apiRoute('POST', '/api/static-exports/{exportId}/artifact/findings/{fingerprint}/acceptance', {
  summary: 'Accept a finding for all bundles of the site',
  answer: 'The finding.',
})
const withdraw = apiRoute('DELETE', '/api/static-exports/{exportId}/artifact/findings/{fingerprint}/acceptance', {
  summary: 'Take the acceptance of a finding back',
  answer: 'The finding.',
})

async function* toJson(all: readonly object[]) {
  yield '[\n'
  for (const [place, one] of all.entries()) yield `${JSON.stringify(one)}${place + 1 < all.length ? ',' : ''}\n`
  yield ']\n'
}

/** `/api/static-exports/{exportId}/artifact/…`: pages, files and findings of stored bundles. */
export const findingRoutes = (service: FindingService) =>
  apiRoutes()
    .serve(pages, (c) => service.pages(c.req.valid('param').exportId, c.req.valid('query')))
    .serve(files, (c) => service.files(c.req.valid('param').exportId, c.req.valid('query')))
    .serve(findings, (c) => service.findings(c.req.valid('param').exportId, c.req.valid('query')))
    .serve(csv, async (c) => {
      const { now, findings: all } = await service.exportFindings(c.req.valid('param').exportId, c.req.valid('query'))
      return streamFile(c, { what: 'findings', ending: 'csv', now, texts: toCsv(findingColumns, toFindingRows(all)) })
    })
    .serve(json, async (c) => {
      const { now, findings: all } = await service.exportFindings(c.req.valid('param').exportId, c.req.valid('query'))
      return streamFile(c, { what: 'findings', ending: 'json', now, texts: toJson(all) })
    })
    .serve(accept, (c) => service.accept(c.req.valid('param'), c.req.valid('json').reason, c.var.actor))
    .serve(withdraw, (c) => service.withdraw(c.req.valid('param'), c.var.actor))
