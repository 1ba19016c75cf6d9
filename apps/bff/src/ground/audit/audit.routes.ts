import { AuditEvent, ListedAuditEvent } from '@docket/api-types/audit'
import { z } from '@hono/zod-openapi'
import { apiRoutes } from '#ground/http/api-routes.ts'
import { streamFile } from '#ground/http/csv.ts'
import { csvHeader, formatCsv, formatJsonLines } from './audit-text.ts'
import type { AuditService } from './audit.service.ts'

/** `/api/audit`: who did what. `now` in milliseconds since the epoch. */
export const auditRoutes = (audit: AuditService, now: () => number) =>
  apiRoutes()
    .serve('GET /api/audit', (c) => audit.list(c.req.valid('query')))
    .serve('GET /api/audit/verify', (c) => audit.verify(c.req.valid('query').cursor))
    .serve('GET /api/audit/export', async (c): Promise<Response> => {
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
