import { AuditEvent, ListedAuditEvent } from '@docket/api-types/audit'
import { z } from '@hono/zod-openapi'
import { apiRoutes } from '#ground/http/api-routes.ts'
import { streamFile, formatCsvRows } from '#ground/http/csv.ts'
import type { Ctx } from '#ground/ctx.ts'
import { exportAudit, listAudit } from './read-audit.ts'
import { verifyAudit } from './verify.ts'

const columns = [
  'at',
  'actor_kind',
  'actor_id',
  'actor_name',
  'address',
  'action',
  'outcome',
  'target_type',
  'target_id',
  'target_name',
  'details',
  'request_id',
  'audit_id',
  'hash',
  'service_answer',
] as const

const toCsvCells = (event: ListedAuditEvent): (string | number | null)[] => [
  event.at,
  event.actor.kind,
  event.actor.id,
  event.actor.name,
  event.address,
  event.action,
  event.outcome,
  event.target?.type ?? null,
  event.target?.id ?? null,
  event.target?.name ?? null,
  Object.keys(event.details).length === 0 ? null : JSON.stringify(event.details),
  event.requestId,
  event.auditId,
  event.hash,
  event.answer ?? null,
]

const formatCsvHeader = (): string => formatCsvRows([columns])

export const formatCsv = (events: readonly ListedAuditEvent[]): string => formatCsvRows(events.map(toCsvCells))

const formatJsonLines = (events: readonly AuditEvent[]): string =>
  events.map((event) => `${JSON.stringify(event)}\n`).join('')

/** Time for one step, well below the deadline for the database in a request. Milliseconds. */
const verifyMs = 1_000

export const auditRoutes = (ctx: Pick<Ctx, 'db' | 'now'>) =>
  apiRoutes()
    .serve('GET /api/audit', (c) => listAudit(ctx, c.req.valid('query')))
    .serve('GET /api/audit/verify', (c) =>
      verifyAudit(ctx.db, { cursor: c.req.valid('query').cursor, budgetMs: verifyMs }),
    )
    .serve('GET /api/audit/export', async (c): Promise<Response> => {
      const { format, ...query } = c.req.valid('query')
      const pieces = await exportAudit(ctx, { ...query, limit: 50 }, c.var.actor, format)
      const texts = async function* () {
        if (format === 'csv') yield formatCsvHeader()
        for await (const events of pieces) {
          // A JSON line is the sealed row, so it omits the service's answer.
          yield format === 'csv'
            ? formatCsv(z.array(ListedAuditEvent).parse(events))
            : formatJsonLines(z.array(AuditEvent).parse(events))
        }
      }
      return streamFile(c, { what: 'audit', ending: format, now: ctx.now(), texts: texts() })
    })
