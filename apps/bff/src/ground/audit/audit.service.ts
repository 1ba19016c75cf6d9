import type { AuditQuery, ListedAuditEvent, ServiceAnswer } from '@docket/api-types/audit'
import { and, desc, eq, getTableColumns, gte, ilike, lt, or, type SQL } from 'drizzle-orm'
import type { Database } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { hasResult, serviceAnswer } from './answers.ts'
import { recordAudit } from './audit.ts'
import type { Actor } from '#ground/identity/actor.ts'
import { auditEvents, type AuditRow, auditSeals, toUnsealedEvent } from './audit.table.ts'
import { verifyAudit } from '#ground/audit/chain/verify.ts'
import { purgeAudit } from './purge.ts'

type Row = AuditRow & { hash: string | null; answer: ServiceAnswer | null }

const toEvent = ({ hash, answer, ...row }: Row): ListedAuditEvent => ({ ...toUnsealedEvent(row), hash, answer })

const literal = (word: string) => `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
const searched = [
  auditEvents.actorName,
  auditEvents.address,
  auditEvents.action,
  auditEvents.targetName,
  auditEvents.targetId,
]

const toFilter = ({ q, action, outcome, actorId, from, to }: AuditQuery): SQL | undefined =>
  and(
    action && eq(auditEvents.action, action),
    outcome && hasResult(outcome),
    actorId === undefined ? undefined : eq(auditEvents.actorId, actorId),
    from === undefined ? undefined : gte(auditEvents.at, new Date(from)),
    to === undefined ? undefined : lt(auditEvents.at, new Date(to)),
    ...(q ?? '')
      // oxlint-disable-next-line no-control-regex -- no text in the database holds a NUL, and none may be looked for
      .split(/[\s\u0000]+/)
      .filter((word) => word !== '')
      .map((word) => or(...searched.map((column) => ilike(column, literal(word))))),
  )

const parseCursor = (cursor: string | undefined): number | undefined => {
  if (cursor === undefined) return undefined
  if (!/^[1-9]\d{0,14}$/.test(cursor))
    throw new AppError('invalid_request', 'This page does not exist. Start from the first page.', { field: 'cursor' })
  return Number(cursor)
}

/** Events in one query of an export. */
const piece = 500
/** Budget of one step, well below the deadline of a request for the database. Milliseconds. */
const verifyMs = 1_000

/** `retentionDays`: how long events stay. `now` in milliseconds since the epoch. */
export const auditService = (deps: { db: Database; now: () => number; retentionDays: number }) => {
  const { db, now, retentionDays } = deps

  const read = (filter: SQL | undefined, before: number | undefined, limit: number): Promise<Row[]> =>
    db
      .select({ ...getTableColumns(auditEvents), hash: auditSeals.hash, answer: serviceAnswer })
      .from(auditEvents)
      .leftJoin(auditSeals, eq(auditSeals.auditId, auditEvents.auditId))
      .where(and(filter, before === undefined ? undefined : lt(auditEvents.auditId, before)))
      .orderBy(desc(auditEvents.auditId))
      .limit(limit)

  async function* all(filter: SQL | undefined): AsyncGenerator<ListedAuditEvent[]> {
    let before: number | undefined
    for (;;) {
      const rows = await read(filter, before, piece)
      if (rows.length > 0) yield rows.map(toEvent)
      if (rows.length < piece) return
      before = rows.at(-1)!.auditId
    }
  }

  return {
    /** Lists a page, newest first. Throws `invalid_request` for an unknown cursor. */
    list: async (query: AuditQuery) => {
      const rows = await read(toFilter(query), parseCursor(query.cursor), query.limit + 1)
      const items = rows.slice(0, query.limit).map(toEvent)
      return { items, nextCursor: rows.length > query.limit ? String(items.at(-1)!.auditId) : null }
    },
    /** Audits the export, then yields every matching event in pieces, newest first. */
    export: async (query: AuditQuery, by: Actor, format: 'csv' | 'jsonl') => {
      await recordAudit(db, by, { action: 'audit.exported', at: new Date(now()), details: { format } })
      return all(toFilter(query))
    },
    /** Verifies the chain for about a second. Throws `invalid_request` for a stale cursor. */
    verify: (cursor?: string) => verifyAudit(db, { cursor, budgetMs: verifyMs }),
    /** Deletes rows older than the retention. Returns how many. */
    purge: () => purgeAudit(db, now(), retentionDays),
  }
}

/** Reads the audit. */
export type AuditService = ReturnType<typeof auditService>
