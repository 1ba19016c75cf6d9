import type { ActorKind, AuditAction, AuditEvent, AuditOutcome } from '@docket/api-types/audit'
import { bigint, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '#ground/db/watch-columns.ts'

/** Audit events: who did what, from where, and with which outcome. A trigger refuses every change; the retention deletes rows. */
export const auditEvents = pgTable(
  'audit_events',
  {
    auditId: bigint('audit_id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: instant('at').notNull(),
    /** `person`, `token`, `nobody` (not signed in) or `docket` itself. */
    actorKind: text('actor_kind').$type<ActorKind>().notNull(),
    /** userId or tokenId. */
    actorId: text('actor_id'),
    /** Name of the actor at that time. */
    actorName: text('actor_name').notNull(),
    address: text('address'),
    requestId: uuid('request_id'),
    action: text('action').$type<AuditAction>().notNull(),
    outcome: text('outcome').$type<AuditOutcome>().notNull(),
    /** Kind of the target: `static_export`, `agent_job`, `user`, … */
    targetType: text('target_type'),
    targetId: text('target_id'),
    /** Name of the target for readers, such as a domain. */
    targetName: text('target_name'),
    /** Facts of the action, without secrets. */
    details: jsonb('details').$type<Record<string, string | number | boolean | null>>().notNull().default({}),
  },
  (t) => [
    index('audit_events_at').on(t.at),
    index('audit_events_action').on(t.action, t.auditId),
    index('audit_events_actor').on(t.actorId, t.auditId),
    index('audit_events_target').on(t.targetType, t.targetId, t.auditId),
  ],
)

/**
 * Hash chain over the audit: one hash per sealed row, in the order of ids. The retention keeps the last hash of the rows that it deletes,
 * so that the chain can continue. A trigger refuses every change.
 */
export const auditSeals = pgTable('audit_seals', {
  auditId: bigint('audit_id', { mode: 'number' }).primaryKey(),
  /** Hex SHA-256 over the previous hash and the row. */
  hash: text('hash').notNull(),
})

export type AuditRow = typeof auditEvents.$inferSelect

const toTarget = ({ targetType: type, targetId: id, targetName: name }: AuditRow): AuditEvent['target'] =>
  // Docket always sets the type of a target. A target without a type, written by another program, must still change the hash.
  type === null && id === null && name === null ? null : { type: type ?? '', id, name }

/** Converts a row for readers and the chain: every column, and no hash. */
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
