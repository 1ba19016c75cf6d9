import type { AuditEvent } from '@docket/api-types/audit'
import type { auditEvents } from './audit.table.ts'

/** A row of the audit as the database holds it. */
export type AuditRow = typeof auditEvents.$inferSelect

const toTarget = ({ targetType: type, targetId: id, targetName: name }: AuditRow): AuditEvent['target'] =>
  // Docket never writes a target without a type; one that somebody writes into the database must still change the hash.
  type === null && id === null && name === null ? null : { type: type ?? '', id, name }

/** A row without its hash, as readers and the chain see it: every column, and only these. */
export const toUnsealedEvent = (row: AuditRow): Omit<AuditEvent, 'hash'> => ({
  auditId: row.auditId,
  at: row.at.toISOString(),
  actor: { kind: row.actorKind, id: row.actorId, name: row.actorName },
  address: row.address,
  requestId: row.requestId,
  action: row.action,
  outcome: row.outcome,
  target: toTarget(row),
  details: row.details,
})
