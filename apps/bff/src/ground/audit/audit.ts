import type { AuditAction, AuditOutcome } from '@docket/api-types/audit'
import type { Tx } from '#ground/db/database.ts'
import type { Actor } from '#ground/identity/identity.ts'
import { auditEvents } from './audit.table.ts'

/** Must not contain a secret. */
export type Audited = {
  action: AuditAction
  outcome?: AuditOutcome
  at: Date
  target?: { type: string; id?: string | null; name?: string | null }
  details?: Record<string, string | number | boolean | null>
}

const longest = 500
const toStorableText = (text: string | null | undefined): string | null =>
  text === null || text === undefined ? null : text.slice(0, longest).toWellFormed().replaceAll('\u0000', '')

const listeners = new Set<() => void>()

/** Calls `listener` for each row that this process writes, before its transaction ends. Returns an unsubscribe function. */
export const onAudited = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Audits an action inside its transaction, so that no action happens without its row. */
export const recordAudit = async (tx: Tx, by: Actor, done: Audited): Promise<void> => {
  const { action, outcome = 'ok', at, target, details = {} } = done
  await tx.insert(auditEvents).values({
    at,
    actorKind: by.kind,
    actorId: by.id,
    actorName: toStorableText(by.name) ?? '',
    address: toStorableText(by.address),
    requestId: by.requestId,
    action,
    outcome,
    targetType: target?.type ?? null,
    targetId: toStorableText(target?.id),
    targetName: toStorableText(target?.name),
    details: Object.fromEntries(
      Object.entries(details).map(([name, value]) => [name, typeof value === 'string' ? toStorableText(value) : value]),
    ),
  })
  for (const listener of listeners) listener()
}
