import type { AuditEvent, AuditList, AuditQuery } from '@docket/api-types/audit'
import { and, desc, eq, gte, ilike, lt, or, sql, type SQL } from 'drizzle-orm'
import type { Database } from '#db/database.ts'
import { AppError } from '#http/app-error.ts'
import { recordAudit, type Actor } from './audit.ts'
import { auditEvents } from './audit.table.ts'

/** Reads the audit. */
export type AuditService = {
  /** A page, newest first; `invalid_request` for a cursor that no page handed out. */
  list: (query: AuditQuery) => Promise<AuditList>
  /** Writes down that it is exported, and then gives every event that fits, newest first, some at a time. */
  export: (query: AuditQuery, by: Actor, format: 'csv' | 'jsonl') => Promise<AsyncIterable<AuditEvent[]>>
  /** Deletes what is older than its retention. Answers with how many. */
  purge: () => Promise<number>
}

type Row = typeof auditEvents.$inferSelect

const eventOf = (row: Row): AuditEvent => ({
  auditId: row.auditId,
  at: row.at.toISOString(),
  actor: { kind: row.actorKind, id: row.actorId, name: row.actorName },
  address: row.address,
  requestId: row.requestId,
  action: row.action,
  outcome: row.outcome,
  target: row.targetType === null ? null : { type: row.targetType, id: row.targetId, name: row.targetName },
  details: row.details,
})

const literal = (word: string) => `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
const searched = [
  auditEvents.actorName,
  auditEvents.address,
  auditEvents.action,
  auditEvents.targetName,
  auditEvents.targetId,
]

const filterOf = ({ q, action, outcome, actorId, from, to }: AuditQuery): SQL | undefined =>
  and(
    action && eq(auditEvents.action, action),
    outcome && eq(auditEvents.outcome, outcome),
    actorId === undefined ? undefined : eq(auditEvents.actorId, actorId),
    from === undefined ? undefined : gte(auditEvents.at, new Date(from)),
    to === undefined ? undefined : lt(auditEvents.at, new Date(to)),
    ...(q ?? '')
      // oxlint-disable-next-line no-control-regex -- no text in the database holds a NUL, and none may be looked for
      .split(/[\s\u0000]+/)
      .filter((word) => word !== '')
      .map((word) => or(...searched.map((column) => ilike(column, literal(word))))),
  )

const placeOf = (cursor: string | undefined): number | undefined => {
  if (cursor === undefined) return undefined
  if (!/^[1-9]\d{0,14}$/.test(cursor))
    throw new AppError('invalid_request', 'This page does not exist. Start from the first page.', { field: 'cursor' })
  return Number(cursor)
}

/** Events in one query of an export. */
const piece = 500
const mostDeleted = 1_000
const dayMs = 86_400_000

/** `retentionDays`: how long events are kept. `now` in milliseconds since the epoch. */
export const auditService = (deps: { db: Database; now: () => number; retentionDays: number }): AuditService => {
  const { db, now, retentionDays } = deps

  const read = (filter: SQL | undefined, before: number | undefined, limit: number): Promise<Row[]> =>
    db
      .select()
      .from(auditEvents)
      .where(and(filter, before === undefined ? undefined : lt(auditEvents.auditId, before)))
      .orderBy(desc(auditEvents.auditId))
      .limit(limit)

  async function* all(filter: SQL | undefined): AsyncGenerator<AuditEvent[]> {
    let before: number | undefined
    for (;;) {
      const rows = await read(filter, before, piece)
      if (rows.length > 0) yield rows.map(eventOf)
      if (rows.length < piece) return
      before = rows.at(-1)!.auditId
    }
  }

  return {
    list: async (query) => {
      const rows = await read(filterOf(query), placeOf(query.cursor), query.limit + 1)
      const items = rows.slice(0, query.limit).map(eventOf)
      return { items, nextCursor: rows.length > query.limit ? String(items.at(-1)!.auditId) : null }
    },
    export: async (query, by, format) => {
      await recordAudit(db, by, { action: 'audit.exported', at: new Date(now()), details: { format } })
      return all(filterOf(query))
    },
    purge: async () => {
      // Never by a clock that is ahead of the database's: what a wrong clock deletes does not come back.
      const cutoff = sql`least(${new Date(now()).toISOString()}::timestamptz, clock_timestamp()) - ${retentionDays * dayMs} * interval '1 millisecond'`
      const old = sql`select ctid from ${auditEvents} where ${auditEvents.at} < ${cutoff} limit ${mostDeleted} for update skip locked`
      for (let deleted = 0; ;) {
        const rowCount = await db.transaction(async (tx) => {
          await tx.execute(sql`set local docket.audit_retention = 'on'`)
          return (await tx.execute(sql`delete from ${auditEvents} where ctid = any(array(${old}))`)).rowCount ?? 0
        })
        deleted += rowCount
        if (rowCount < mostDeleted) return deleted
      }
    },
  }
}
