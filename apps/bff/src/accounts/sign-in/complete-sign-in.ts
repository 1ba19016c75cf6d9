import { and, eq, isNull } from 'drizzle-orm'
import { sessions, users } from '#accounts/accounts.table.ts'
import type { SignInRequest } from '#accounts/request-origin.ts'
import { openSession, type OpenedSession } from '#accounts/sessions.ts'
import { recordAudit } from '#audit/audit.ts'
import type { Tx } from '#db/database.ts'

/** Finds an enabled user, or null. A concurrent disabling waits for the transaction, and then ends the session that it opened. */
export const lockEnabledUser = async (tx: Tx, userId: string): Promise<typeof users.$inferSelect | null> => {
  const enabled = and(eq(users.id, userId), isNull(users.disabledAt))
  const [user] = await tx.select().from(users).where(enabled).for('share')
  return user ?? null
}

/** Opens the session of a person who proved who they are, ends the one it replaces, and audits the sign-in. Lock the user before. */
export const completeSignIn = async (
  tx: Tx,
  user: { id: string; name: string },
  request: Omit<SignInRequest, 'cookie'>,
  details: { with: string },
): Promise<OpenedSession> => {
  const { by, userAgent, now, replaces } = request
  const opened = await openSession(tx, user.id, { now, address: by.address, userAgent })
  if (replaces !== null) await tx.delete(sessions).where(eq(sessions.id, replaces))
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
