import { z } from 'zod'
import { auditActions } from './audit-actions.ts'
import { instant, ListQuery } from './list.ts'
import { typedLine } from './text.ts'

/** `ok` it was done · `refused` it was not allowed · `failed` it was tried and did not succeed. */
export const AuditOutcome = z.enum(['ok', 'refused', 'failed'])
export type AuditOutcome = z.infer<typeof AuditOutcome>

export const AuditAction = z.enum(Object.keys(auditActions) as (keyof typeof auditActions)[])
export type AuditAction = z.infer<typeof AuditAction>

/** Kind of actor: a person, an API token, an unauthenticated caller, or Docket itself. */
export const ActorKind = z.enum(['person', 'token', 'nobody', 'docket'])
export type ActorKind = z.infer<typeof ActorKind>

export const AuditEvent = z.object({
  auditId: z.int(),
  at: z.iso.datetime(),
  actor: z.object({ kind: ActorKind, id: z.string().nullable(), name: z.string() }),
  /** Network address of the caller; null for actions by Docket itself. */
  address: z.string().nullable(),
  requestId: z.string().nullable(),
  /** An `AuditAction`, or one that an earlier build sealed. */
  action: z.string(),
  outcome: AuditOutcome,
  target: z.object({ type: z.string(), id: z.string().nullable(), name: z.string().nullable() }).nullable(),
  /** Facts of the action, without secrets. */
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  /** SHA-256 over the hash of the row before and this row, in hex. Null for the few seconds until it is sealed. */
  hash: z.string().nullable(),
})
export type AuditEvent = z.infer<typeof AuditEvent>

/**
 * Answer of the service to an audited command: `done` it took the command · `refused` it did not · `unavailable` it did not answer, so nothing
 * happened · `unknown` its answer was lost · `pending` Docket waits for it.
 */
export const ServiceAnswer = z.enum(['done', 'refused', 'unavailable', 'unknown', 'pending'])
export type ServiceAnswer = z.infer<typeof ServiceAnswer>

/**
 * An event with the service's `answer`, read from the event's record. Not part of the sealed row. `answer` is null for an event that
 * made no call to the service, and once its record is deleted.
 */
export const ListedAuditEvent = AuditEvent.extend({ answer: ServiceAnswer.nullish() })
export type ListedAuditEvent = z.infer<typeof ListedAuditEvent>

/** Outcome to filter by: that of the event, or the service's answer to it. */
export const AuditResult = z.enum([...AuditOutcome.options, 'refused_by_service', 'unavailable', 'unknown', 'pending'])
export type AuditResult = z.infer<typeof AuditResult>

/** Filters of the audit, newest first. `q` looks at names, addresses, actions and targets. */
export const AuditQuery = ListQuery.pick({ cursor: true, limit: true, q: true }).extend({
  action: AuditAction.optional(),
  outcome: AuditResult.optional(),
  /** userId or tokenId. */
  actorId: typedLine(200).optional(),
  /** Events at or after this time. ISO 8601. */
  from: instant.optional(),
  /** Events before this time. ISO 8601. */
  to: instant.optional(),
})
export type AuditQuery = z.infer<typeof AuditQuery>

export const AuditExportQuery = AuditQuery.omit({ cursor: true, limit: true }).extend({
  format: z.enum(['csv', 'jsonl']),
})

export const AuditList = z.object({ items: z.array(ListedAuditEvent), nextCursor: z.string().nullable() })
export type AuditList = z.infer<typeof AuditList>

/** The next step of verifying the chain; the first one has no cursor. */
export const AuditVerificationQuery = z.object({ cursor: z.string().optional() })

/** A row of the audit by its id, and when it was written; null for a row that is not there. */
const place = z.object({ auditId: z.int(), at: z.iso.datetime().nullable() })

/**
 * One step of verifying the audit's hash chain, oldest row first. Repeat with `nextCursor` until it is null. `changed`: a row does not
 * fit its hash and the hash before it · `removed`: a hash has no row · `inserted`: a row has no hash.
 */
export const AuditVerification = z.object({
  /** Rows that this step found intact. */
  rows: z.int().nonnegative(),
  /**
   * The last deletion by the retention, after which the chain begins: through which id, how many rows, and when. Null if there was none.
   */
  purged: z.object({ throughId: z.int(), rows: z.int(), at: z.iso.datetime() }).nullable(),
  /** The last row up to which the chain is intact, and its hash. Null while nothing is sealed. */
  through: place.extend({ hash: z.string() }).nullable(),
  /** The first row that breaks the chain. */
  broken: place.extend({ problem: z.enum(['changed', 'removed', 'inserted']) }).nullable(),
  /** Rows that are not sealed yet. Null until the last step. */
  unsealed: z.object({ rows: z.int().nonnegative(), oldestAt: z.iso.datetime().nullable() }).nullable(),
  nextCursor: z.string().nullable(),
})
export type AuditVerification = z.infer<typeof AuditVerification>
