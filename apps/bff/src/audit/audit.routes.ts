import { AuditEvent, ListedAuditEvent } from '@docket/api-types/audit'
import { z } from '@hono/zod-openapi'
import { apiRoute, apiRoutes, failure } from '#http/api-routes.ts'
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

const types = { csv: 'text/csv; charset=utf-8', jsonl: 'application/x-ndjson' }

/** `/api/audit`: who did what. `now` in milliseconds since the epoch. */
export const auditRoutes = (audit: AuditService, now: () => number) =>
  apiRoutes()
    .serve(list, (c) => audit.list(c.req.valid('query')))
    .serve(verify, (c) => audit.verify(c.req.valid('query').cursor))
    .serve(exported, async (c): Promise<Response> => {
      const { format, ...query } = c.req.valid('query')
      const pieces = await audit.export({ ...query, limit: 50 }, c.var.actor, format)
      const lines = async function* () {
        const encoder = new TextEncoder()
        if (format === 'csv') yield encoder.encode(csvHeader())
        try {
          for await (const events of pieces) {
            // A JSON line is the sealed row, so it leaves the answer out.
            const text =
              format === 'csv'
                ? formatCsv(z.array(ListedAuditEvent).parse(events))
                : formatJsonLines(z.array(AuditEvent).parse(events))
            yield encoder.encode(text)
          }
        } catch (error) {
          c.var.log.warn({ err: error }, 'an export of the audit broke off')
          // Cuts the connection: a proper end would pass a part for the whole, and the server would write an error into the file.
          c.env.outgoing.destroy()
        }
      }
      const day = new Date(now()).toISOString().slice(0, 10)
      return c.body(ReadableStream.from(lines()), 200, {
        'Content-Type': types[format],
        'Content-Disposition': `attachment; filename="docket-audit-${day}.${format}"`,
      })
    })
