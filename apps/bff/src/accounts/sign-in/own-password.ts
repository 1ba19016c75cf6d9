import type { ChangePassword } from '@docket/api-types/accounts'
import { and, eq, isNull, ne } from 'drizzle-orm'
import { oneTimeLinks, passkeys, sessions, signInAccounts, users, verifications } from '#accounts/accounts.table.ts'
import { hashPassword, isPassword } from '#accounts/password-hash.ts'
import { recordAudit } from '#audit/audit.ts'
import type { Actor } from '#identity/actor.ts'
import type { Database, Tx } from '#db/database.ts'
import { AppError } from '#errors/app-error.ts'
import type { PersonIdentity } from '#identity/identity.ts'
import { checkPassword } from './password-rules.ts'
import type { Throttle } from './throttle.ts'

const ofPassword = (userId: string) =>
  and(eq(signInAccounts.userId, userId), eq(signInAccounts.providerId, 'credential'))

/**
 * Writes the password of a user as its hash, and ends sign-ins that wait for a second factor after the old one. Lock the user before: of
 * two at once, both would be written.
 */
export const setPassword = async (tx: Tx, userId: string, hash: string, at: Date): Promise<void> => {
  await tx.delete(verifications).where(eq(verifications.value, userId))
  const changed = await tx
    .update(signInAccounts)
    .set({ password: hash, updatedAt: at })
    .where(ofPassword(userId))
    .returning({ id: signInAccounts.id })
  if (changed.length === 0)
    await tx.insert(signInAccounts).values({ accountId: userId, providerId: 'credential', userId, password: hash })
}

const passwordHash = async (db: Tx, userId: string): Promise<string | null> => {
  const [row] = await db.select({ hash: signInAccounts.password }).from(signInAccounts).where(ofPassword(userId))
  return row?.hash ?? null
}

/**
 * Lets somebody who is signed in prove the password again; answers with its hash, null when there is none to prove. Counted:
 * whoever found an open browser must not be able to guess. `invalid_request` with `field` when it is wrong.
 */
export const provePassword = async (
  { db, throttle }: { db: Database; throttle: Throttle },
  userId: string,
  password: string | undefined,
  field: string,
): Promise<string | null> => {
  const hash = await passwordHash(db, userId)
  if (hash === null) return null
  if (password === undefined || password === '')
    throw new AppError('invalid_request', 'Your present password is needed.', { field })
  await throttle.take('proof', userId)
  if (!(await isPassword(password, hash)))
    throw new AppError('invalid_request', 'This is not your present password.', { field })
  await throttle.giveBack('proof', userId)
  return hash
}

/** How lately somebody must have signed in with a passkey to choose their first password. Milliseconds. */
const recentMs = 10 * 60_000

/**
 * Whether somebody without a password may choose one. The first admin of a fresh Docket may; where the single sign-on decides who comes in,
 * a password of one's own would go on working after it said no; and whoever found an open browser must not be able to stay.
 */
const mayChooseFirst = async (tx: Tx, { userId, sessionId }: PersonIdentity, now: number): Promise<void> => {
  const oidc = and(eq(signInAccounts.userId, userId), ne(signInAccounts.providerId, 'credential'))
  const [managed] = await tx.select({ id: signInAccounts.id }).from(signInAccounts).where(oidc).limit(1)
  if (managed !== undefined)
    throw new AppError(
      'conflict',
      'You sign in with the single sign-on. If you need a password too, ask an admin for a link to choose one.',
    )
  const [key] = await tx.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.userId, userId)).limit(1)
  const [session] = await tx.select({ at: sessions.createdAt }).from(sessions).where(eq(sessions.id, sessionId))
  // Replicas' clocks may differ a little.
  if (key !== undefined && Math.abs(now - (session?.at.getTime() ?? 0)) >= recentMs)
    throw new AppError(
      'conflict',
      'Sign out and in again with your passkey, and choose the password within ten minutes.',
    )
}

/** Changes one's own password, which ends every other session and every link to choose one. */
export const changePassword =
  (deps: { db: Database; throttle: Throttle; now: () => number; host: string | null }) =>
  async ({ currentPassword, newPassword }: ChangePassword, person: PersonIdentity, by: Actor): Promise<void> => {
    const { db, now, host } = deps
    const { userId, sessionId, name, email } = person
    const proven = await provePassword(deps, userId, currentPassword, 'currentPassword')
    await checkPassword(newPassword, { name, email, host }, 'newPassword')
    const hash = await hashPassword(newPassword)
    await db.transaction(async (tx) => {
      const at = new Date(now())
      // A sign-in with the old one that is under way ends before this, or does not find its hash any more.
      await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
      if ((await passwordHash(tx, userId)) !== proven)
        throw new AppError('conflict', 'Your password was changed somewhere else just now. Try again.')
      if (proven === null) await mayChooseFirst(tx, person, at.getTime())
      await setPassword(tx, userId, hash, at)
      await tx.delete(sessions).where(and(eq(sessions.userId, userId), ne(sessions.id, sessionId)))
      const pending = and(eq(oneTimeLinks.userId, userId), isNull(oneTimeLinks.usedAt))
      await tx.update(oneTimeLinks).set({ usedAt: at }).where(pending)
      await recordAudit(tx, by, { action: 'user.password_changed', at, target: { type: 'user', id: userId, name } })
    })
  }
