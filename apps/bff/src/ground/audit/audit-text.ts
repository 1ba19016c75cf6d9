import type { AuditEvent, ListedAuditEvent } from '@docket/api-types/audit'
import { formatCsvRows } from '#ground/http/csv.ts'

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

const toCells = (event: ListedAuditEvent): (string | number | null)[] => [
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

/** First line of a CSV file: the names of the columns. */
export const csvHeader = (): string => formatCsvRows([columns])

/** Formats events as CSV (RFC 4180). A cell that looks like a formula begins with an apostrophe. */
export const formatCsv = (events: readonly ListedAuditEvent[]): string => formatCsvRows(events.map(toCells))

/** Formats events as JSON, one on each line. */
export const formatJsonLines = (events: readonly AuditEvent[]): string =>
  events.map((event) => `${JSON.stringify(event)}\n`).join('')
