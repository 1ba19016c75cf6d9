import { sql } from 'drizzle-orm'
import { redactProse } from '#ground/log/redact.ts'
import { type Tx, takeTurn } from '#ground/db/database.ts'
import { historyEvents } from './history.table.ts'
import { AuditAction } from '@docket/api-types/audit'
import type { Ending, HistoryKind, RecordKey } from '@docket/api-types/history'
import { recordAudit } from '#ground/audit/audit.ts'
import type { Actor } from '#ground/identity/identity.ts'

/** Texts may come from upstream. */
export type NewEvent = {
  kind: HistoryKind
  at: Date
  /** End of a `not_observed` gap. */
  until?: Date
  field?: string
  from?: string | null
  to?: string | null
  /** The person, or Docket. Undefined for a change made by the service. */
  by?: Actor
  /** Set when other pages should show the event as a notice. */
  ending?: Ending
}

/** Actions of people on records whose name in the audit is not that of the event. */
const renamed: Readonly<Record<string, AuditAction>> = {
  'static_export.requested': 'static_export.started',
  'static_export.cancel_requested': 'static_export.cancelled',
  'static_export.bundle_prepared': 'bundle.prepared',
  'static_export.link_copied': 'bundle.link_minted',
  'static_export.bundle_deleted': 'bundle.deleted',
  'agent_job.cancel_requested': 'agent_job.cancelled',
  'agent_job.archive_requested': 'agent_job.archived',
}

/** Undefined for events without an audit. A download has none: the audit records its start, and the history its end. */
const findAuditAction = (type: RecordKey['type'], kind: HistoryKind): AuditAction | undefined => {
  const name = `${type}.${kind}`
  return renamed[name] ?? AuditAction.safeParse(name).data
}

/** Kinds of events in which `to` is the length of a text. */
const lengths: readonly HistoryKind[] = ['message_sent', 'retried', 'note_changed']

/** An export is named by its domain, a job by its project and id. */
export const toAuditTarget = async (tx: Tx, key: RecordKey) => {
  if (key.type === 'agent_job') return { type: key.type, id: key.id, name: `${key.projectId}/${key.id}` }
  const { rows } = await tx.execute<{ domain: string }>(
    sql`select domain from static_exports where export_id = ${key.exportId}`,
  )
  return { type: key.type, id: key.exportId, name: rows[0]?.domain ?? null }
}

/** Empty while there is only one connection. */
const readConnectionDetail = async (tx: Tx, key: RecordKey): Promise<{ connection?: string }> => {
  const connectionId =
    key.type === 'agent_job'
      ? sql`${key.connectionId ?? null}::uuid`
      : sql`(select connection_id from static_exports where export_id = ${key.exportId})`
  const { rows } = await tx.execute<{ name: string }>(
    sql`select name from connections where connection_id = ${connectionId} and (select count(*) from connections where kind <> 'unassigned') > 1`,
  )
  return rows[0] === undefined ? {} : { connection: rows[0].name }
}

const auditEvents = async (tx: Tx, key: RecordKey, events: readonly NewEvent[]): Promise<void> => {
  for (const { kind, by, at, from, to } of events) {
    const action = findAuditAction(key.type, kind)
    if (by === undefined || action === undefined) continue
    // The text of a message or a note may be confidential; its length is not.
    const characters = lengths.includes(kind) ? { characters: Number(to) } : {}
    const meaning = kind === 'treated_as' ? { status: from ?? '', as: to ?? '' } : {}
    const state = kind === 'pull_request_marked' ? { state: to ?? 'not known' } : {}
    const details = { ...characters, ...state, ...meaning, ...(await readConnectionDetail(tx, key)) }
    await recordAudit(tx, by, { action, at, target: await toAuditTarget(tx, key), details })
  }
}

export const printRecordKey = (key: RecordKey): string =>
  key.type === 'static_export' ? key.exportId : JSON.stringify([key.projectId, key.id])

const maxLength = 500

// Signed links are secrets, so the query of an address is dropped.
const cleanEventText = (value: string | null | undefined): string | null =>
  value === null || value === undefined ? null : redactProse(value, []).slice(0, maxLength).toWellFormed()

/**
 * Writes events of a record. Call it last in the transaction of the change, after `countChange`. Waits for other
 * writers of the same record, and for writers of endings, so ids grow in the order in which rows become visible. Cuts
 * texts at 500 characters, drops the query of links, and audits actions of people.
 */
export const recordEvents = async (tx: Tx, key: RecordKey, events: readonly NewEvent[]): Promise<void> => {
  if (events.length === 0) return
  await auditEvents(tx, key, events)
  const numbered = [`docket events of ${key.type} ${printRecordKey(key)}`]
  if (events.some(({ ending }) => ending !== undefined)) numbered.push('docket endings')
  await takeTurn(tx, ...numbered)
  await tx.insert(historyEvents).values(
    events.map(({ kind, at, until, field, from, to, by, ending }) => ({
      recordType: key.type,
      recordKey: printRecordKey(key),
      connectionId: key.type === 'agent_job' ? (key.connectionId ?? null) : null,
      kind,
      at,
      until: until ?? null,
      field: field ?? null,
      from: cleanEventText(from),
      to: cleanEventText(to),
      by: cleanEventText(by?.name),
      ending: ending ?? null,
    })),
  )
}
