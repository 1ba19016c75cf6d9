import type { AuditEvent } from '@docket/api-types/audit'
import { stringify } from 'csv-stringify/sync'

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
] as const

const cellsOf = (event: AuditEvent): (string | number | null)[] => [
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
]

/** Names of the columns as the first line of a CSV file. */
export const csvHeader = (): string => stringify([[...columns]], { record_delimiter: '\r\n' })

/** Events as lines of CSV (RFC 4180). A cell that a spreadsheet would take for a formula begins with an apostrophe. */
export const csvOf = (events: readonly AuditEvent[]): string =>
  stringify(events.map(cellsOf), { escape_formulas: true, record_delimiter: '\r\n' })

/** Events as one JSON object on each line. */
export const jsonLinesOf = (events: readonly AuditEvent[]): string =>
  events.map((event) => `${JSON.stringify(event)}\n`).join('')
