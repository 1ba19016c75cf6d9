import { AuditEvent, ListedAuditEvent } from '@docket/api-types/audit'
import { z } from '@hono/zod-openapi'
import { apiRoute, apiRoutes, failure } from '#ground/http/api-routes.ts'
import { streamFile } from '#ground/http/csv.ts'
import { csvHeader, formatCsv, formatJsonLines } from './audit-text.ts'
import type { AuditService } from './audit.service.ts'

const list = apiRoute('GET', '/api/audit', {
  summary: 'What was done and refused, newest first, filtered, in pages',
  answer: 'A page of the audit.',
})
const text = { schema: z.string() }
const exported = apiRoute('GET', '/api/audit/export', {
  summary: 'Everything that fits the filters, as CSV or JSON lines',
  responses: {
    200: {
      description: 'The file, newest first.',
      content: { 'text/csv': text, 'application/x-ndjson': { schema: AuditEvent } },
    },
    ...failure,
  },
})

const verify = apiRoute('GET', '/api/audit/verify', {
  summary: 'Verifies the chain of hashes over the audit, about a second of work at a time',
  answer: 'How far the chain is whole, and where it breaks.',
})

/** `/api/audit`: who did what. `now` in milliseconds since the epoch. */
export const auditRoutes = (audit: AuditService, now: () => number) =>
  apiRoutes()
    .serve(list, (c) => audit.list(c.req.valid('query')))
    .serve(verify, (c) => audit.verify(c.req.valid('query').cursor))
    .serve(exported, async (c): Promise<Response> => {
      const { format, ...query } = c.req.valid('query')
      const pieces = await audit.export({ ...query, limit: 50 }, c.var.actor, format)
      const texts = async function* () {
        if (format === 'csv') yield csvHeader()
        for await (const events of pieces) {
          // A JSON line is the sealed row, so it leaves the answer out.
          yield format === 'csv'
            ? formatCsv(z.array(ListedAuditEvent).parse(events))
            : formatJsonLines(z.array(AuditEvent).parse(events))
        }
      }
      return streamFile(c, { what: 'audit', ending: format, now: now(), texts: texts() })
    })
