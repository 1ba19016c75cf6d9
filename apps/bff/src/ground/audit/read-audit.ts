import type { AuditQuery, ListedAuditEvent, ServiceAnswer, AuditAction, AuditResult } from '@docket/api-types/audit'
import { and, desc, eq, getTableColumns, gte, ilike, lt, or, type SQL, inArray, sql } from 'drizzle-orm'
import type { Database } from '#ground/db/database.ts'
import { refusedFieldError } from '#ground/errors/app-error.ts'
import { recordAudit } from './audit.ts'
import type { Actor } from '#ground/identity/identity.ts'
import { auditEvents, type AuditRow, auditSeals, toUnsealedEvent } from './audit.table.ts'
import type { Ctx } from '#ground/ctx.ts'

/** Actions whose row is written before the service answers. */
const commands = [
  'static_export.started',
  'agent_job.requested',
  'agent_job.message_sent',
  'agent_job.retried',
] as const satisfies readonly AuditAction[]

const { action, actorName, at, outcome, targetId, targetName } = auditEvents

const translateState = (state: string, code: SQL) => sql`case ${sql.raw(state)}
  when 'refused' then case when ${code} in ('upstream_unavailable', 'upstream_timeout') then 'unavailable' else 'refused' end
  when 'unknown' then 'unknown'
  when 'starting' then 'pending'
  when 'sending' then 'pending'
  else 'done' end`

const uuid = sql`case when ${targetId} ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then ${targetId}::uuid end`

// The record of a command and its audit row have the same time and person.
const selectPromptAnswer = (where: SQL) => sql`(select ${translateState('p.state', sql`p.code`)} from agent_prompts p
  where p.sent_at = ${at} and p.sent_by = ${actorName} and ${where} limit 1)`

const followUp = selectPromptAnswer(
  sql`p.kind = 'message' and p.job_id = ${targetId} and p.project_id || '/' || p.job_id = ${targetName}`,
)

/**
 * The service's answer to the command of an audit row, from the record that the command wrote. Null for other rows, and once the record is
 * deleted. The row itself is sealed before the answer arrives, so it cannot contain it.
 */
const serviceAnswer = sql<ServiceAnswer | null>`case ${action}
  when 'static_export.started' then
    (select ${translateState('e.state', sql`e.check_failure ->> 'code'`)} from static_exports e where e.export_id = ${uuid})
  when 'agent_job.requested' then
    ${selectPromptAnswer(sql`p.kind = 'creation' and p.project_id = ${targetName}`)}
  when 'agent_job.message_sent' then ${followUp}
  when 'agent_job.retried' then ${followUp}
  end`

const isCommand = inArray(action, [...commands])

/** Condition for rows with this outcome or answer. A command is done once the service accepted it. */
const matchesResult = (result: AuditResult): SQL | undefined => {
  if (result === 'ok') return sql`(${eq(outcome, 'ok')} and (not ${isCommand} or ${serviceAnswer} = 'done'))`
  if (result === 'refused' || result === 'failed') return eq(outcome, result)
  return and(isCommand, sql`${serviceAnswer} = ${result === 'refused_by_service' ? 'refused' : result}`)
}

type Row = AuditRow & { hash: string | null; answer: ServiceAnswer | null }

const toEvent = ({ hash, answer, ...row }: Row): ListedAuditEvent => ({ ...toUnsealedEvent(row), hash, answer })

const toLikePattern = (word: string) => `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
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
    outcome && matchesResult(outcome),
    actorId === undefined ? undefined : eq(auditEvents.actorId, actorId),
    from === undefined ? undefined : gte(auditEvents.at, new Date(from)),
    to === undefined ? undefined : lt(auditEvents.at, new Date(to)),
    ...(q ?? '')
      // oxlint-disable-next-line no-control-regex -- no text in the database holds a NUL, and none may be looked for
      .split(/[\s\u0000]+/)
      .filter((word) => word !== '')
      .map((word) => or(...searched.map((column) => ilike(column, toLikePattern(word))))),
  )

const parseCursor = (cursor: string | undefined): number | undefined => {
  if (cursor === undefined) return undefined
  if (!/^[1-9]\d{0,14}$/.test(cursor))
    throw refusedFieldError('cursor', 'This page does not exist. Start from the first page.')
  return Number(cursor)
}

/** Events in one query of an export. */
const piece = 500

const readEvents = (db: Database, filter: SQL | undefined, before: number | undefined, limit: number): Promise<Row[]> =>
  db
    .select({ ...getTableColumns(auditEvents), hash: auditSeals.hash, answer: serviceAnswer })
    .from(auditEvents)
    .leftJoin(auditSeals, eq(auditSeals.auditId, auditEvents.auditId))
    .where(and(filter, before === undefined ? undefined : lt(auditEvents.auditId, before)))
    .orderBy(desc(auditEvents.auditId))
    .limit(limit)

async function* readAllEvents(db: Database, filter: SQL | undefined): AsyncGenerator<ListedAuditEvent[]> {
  let before: number | undefined
  for (;;) {
    const rows = await readEvents(db, filter, before, piece)
    if (rows.length > 0) yield rows.map(toEvent)
    if (rows.length < piece) return
    before = rows.at(-1)!.auditId
  }
}

/** A page, newest first. Throws `invalid_request` for an unknown cursor. */
export const listAudit = async ({ db }: Pick<Ctx, 'db'>, query: AuditQuery) => {
  const rows = await readEvents(db, toFilter(query), parseCursor(query.cursor), query.limit + 1)
  const items = rows.slice(0, query.limit).map(toEvent)
  return { items, nextCursor: rows.length > query.limit ? String(items.at(-1)!.auditId) : null }
}

/** Audits the export, then yields every matching event in pieces, newest first. */
export const exportAudit = async (
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  query: AuditQuery,
  by: Actor,
  format: 'csv' | 'jsonl',
) => {
  await recordAudit(db, by, { action: 'audit.exported', at: new Date(now()), details: { format } })
  return readAllEvents(db, toFilter(query))
}
