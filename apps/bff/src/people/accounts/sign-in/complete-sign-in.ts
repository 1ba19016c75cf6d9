import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import { sessions, users } from '#people/accounts/accounts.table.ts'
import type { RequestOrigin, SignInRequest } from '#people/accounts/request-origin.ts'
import { openSession, type OpenedSession } from '#people/accounts/sessions.ts'
import { type Audited, recordAudit } from '#ground/audit/audit.ts'
import type { Tx } from '#ground/db/database.ts'

/**
 * Finds an enabled user, or null. With a lock, a concurrent disabling waits for the transaction, and then ends the session that it
 * opened.
 */
export const findEnabledUser = async (tx: Tx, userId: string, lock?: 'no key update' | 'update') => {
  const found = tx
    .select()
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.disabledAt)))
  const [user] = await (lock === undefined ? found : found.for(lock))
  return user ?? null
}

export const auditRefusedSignIn = (
  tx: Tx,
  { by, now }: Pick<RequestOrigin, 'by' | 'now'>,
  details: NonNullable<Audited['details']>,
  account?: Omit<NonNullable<Audited['target']>, 'type'>,
) => {
  const target = account && { target: { type: 'user', ...account } }
  return recordAudit(tx, by, { action: 'session.signed_in', outcome: 'refused', at: new Date(now), ...target, details })
}

/**
 * Opens a session for an authenticated person, ends the session it replaces, and audits the sign-in. Restores rights that a refusal by the
 * identity provider removed. Lock the user first.
 */
export const completeSignIn = async (
  tx: Tx,
  user: { id: string; name: string },
  request: Omit<SignInRequest, 'cookie'>,
  details: { with: string },
): Promise<OpenedSession> => {
  const { by, userAgent, now, replaces } = request
  const opened = await openSession(tx, user.id, { now, address: by.address, userAgent })
  if (replaces !== null) await tx.delete(sessions).where(eq(sessions.id, replaces))
  await tx
    .update(users)
    .set({ refusedAt: null })
    .where(and(eq(users.id, user.id), isNotNull(users.refusedAt)))
  await recordAudit(
    tx,
    { ...by, kind: 'person', id: user.id, name: user.name },
    {
      action: 'session.signed_in',
      at: new Date(now),
      target: { type: 'user', id: user.id, name: user.name },
      details,
    },
  )
  return opened
}
