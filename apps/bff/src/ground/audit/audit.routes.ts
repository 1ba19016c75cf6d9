import { AuditEvent, ListedAuditEvent } from '@docket/api-types/audit'
import { z } from '@hono/zod-openapi'
import { apiRoutes } from '#ground/http/api-routes.ts'
import { mapPieces } from '#ground/db/record-list.ts'
import { type CsvColumns, streamFile, toCsv } from '#ground/http/csv.ts'
import type { Ctx } from '#ground/ctx.ts'
import { exportAudit, listAudit } from './read-audit.ts'
import { verifyAudit } from './verify.ts'

const auditColumns: CsvColumns<ListedAuditEvent> = {
  at: ({ at }) => at,
  actor_kind: ({ actor }) => actor.kind,
  actor_id: ({ actor }) => actor.id,
  actor_name: ({ actor }) => actor.name,
  address: ({ address }) => address,
  action: ({ action }) => action,
  outcome: ({ outcome }) => outcome,
  target_type: ({ target }) => target?.type ?? null,
  target_id: ({ target }) => target?.id ?? null,
  target_name: ({ target }) => target?.name ?? null,
  details: ({ details }) => (Object.keys(details).length === 0 ? null : JSON.stringify(details)),
  request_id: ({ requestId }) => requestId,
  audit_id: ({ auditId }) => auditId,
  hash: ({ hash }) => hash,
  service_answer: ({ answer }) => answer ?? null,
}

/** A line is the sealed row, so it omits the service's answer. */
async function* toJsonLines(pieces: AsyncIterable<readonly ListedAuditEvent[]>) {
  for await (const events of pieces)
    yield z
      .array(AuditEvent)
      .parse(events)
      .map((event) => `${JSON.stringify(event)}\n`)
      .join('')
}

/** Time for one step, well below the deadline for the database in a request. Milliseconds. */
const verifyMs = 1_000

export const auditRoutes = (ctx: Pick<Ctx, 'db' | 'now'>) =>
  apiRoutes()
    .serve('GET /api/audit', ({ query }) => listAudit(ctx, query))
    .serve('GET /api/audit/verify', ({ query }) => verifyAudit(ctx.db, { cursor: query.cursor, budgetMs: verifyMs }))
    .serve('GET /api/audit/export', async ({ query: { format, ...query }, by }, c): Promise<Response> => {
      const pieces = await exportAudit(ctx, { ...query, limit: 50 }, by, format)
      const texts =
        format === 'csv'
          ? toCsv(
              auditColumns,
              mapPieces(pieces, (events) => z.array(ListedAuditEvent).parse(events)),
            )
          : toJsonLines(pieces)
      return streamFile(c, { what: 'audit', ending: format, now: ctx.now(), texts })
    })
