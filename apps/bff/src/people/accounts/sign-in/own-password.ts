import type { ChangePassword } from '@docket/api-types/accounts'
import { and, eq, ne } from 'drizzle-orm'
import {
  oneTimeLinks,
  passkeys,
  sessions,
  signInAccounts,
  users,
  verifications,
} from '#people/accounts/accounts.table.ts'
import { hashPassword, isPassword } from '#people/accounts/password-hash.ts'
import { endLinks } from '#people/accounts/one-time-links.ts'
import { recordAudit } from '#ground/audit/audit.ts'
import type { Actor, PersonIdentity } from '#ground/identity/identity.ts'
import type { Tx } from '#ground/db/database.ts'
import { AppError, refusedFieldError } from '#ground/errors/app-error.ts'
import { checkPassword } from './password-rules.ts'
import type { PeopleCtx } from '#people/people-ctx.ts'

const isPasswordRow = (userId: string) =>
  and(eq(signInAccounts.userId, userId), eq(signInAccounts.providerId, 'credential'))

/** Writes a password hash, and ends pending sign-ins that used the old password. Lock the user first, or concurrent calls both write. */
export const setPassword = async (tx: Tx, userId: string, hash: string, at: Date): Promise<void> => {
  await tx.delete(verifications).where(eq(verifications.value, userId))
  const changed = await tx
    .update(signInAccounts)
    .set({ password: hash, updatedAt: at })
    .where(isPasswordRow(userId))
    .returning({ id: signInAccounts.id })
  if (changed.length === 0)
    await tx.insert(signInAccounts).values({ accountId: userId, providerId: 'credential', userId, password: hash })
}

export const loadPasswordHash = async (db: Tx, userId: string): Promise<string | null> => {
  const [row] = await db.select({ hash: signInAccounts.password }).from(signInAccounts).where(isPasswordRow(userId))
  return row?.hash ?? null
}

/** Checks the password of a signed-in person again and counts attempts. Returns its hash, or null without one. Throws `invalid_request`. */
export const provePassword = async (
  { db, throttle }: PeopleCtx,
  userId: string,
  password: string | undefined,
  field: string,
): Promise<string | null> => {
  const hash = await loadPasswordHash(db, userId)
  if (hash === null) return null
  if (password === undefined || password === '') throw refusedFieldError(field, 'Enter your current password.')
  await throttle.take('proof', userId)
  if (!(await isPassword(password, hash))) throw refusedFieldError(field, 'This is not your current password.')
  await throttle.giveBack('proof', userId)
  return hash
}

/**
 * Throws `conflict` when the password changed after `provePassword`, which is slow and so runs before the transaction. Lock the user first.
 */
export const requireSamePassword = async (tx: Tx, userId: string, proven: string | null): Promise<void> => {
  if ((await loadPasswordHash(tx, userId)) !== proven)
    throw new AppError('conflict', 'Your password was just changed elsewhere. Try again.')
}

/** Maximum age of a sign-in that proves who is at the browser. Milliseconds. */
const recentMs = 10 * 60_000

export const isRecentSignIn = async (tx: Tx, { sessionId }: PersonIdentity, now: number): Promise<boolean> => {
  const [session] = await tx.select({ at: sessions.createdAt }).from(sessions).where(eq(sessions.id, sessionId))
  // The clocks of replicas may differ slightly.
  return Math.abs(now - (session?.at.getTime() ?? 0)) < recentMs
}

/**
 * Refuses a first password to people who use single sign-on, because it would still work after their provider refuses them, and to an old
 * passkey session, because the browser may be unattended. The first admin of a fresh Docket may choose one.
 */
const requireMayChooseFirst = async (tx: Tx, person: PersonIdentity, now: number): Promise<void> => {
  const { userId } = person
  const oidc = and(eq(signInAccounts.userId, userId), ne(signInAccounts.providerId, 'credential'))
  const [managed] = await tx.select({ id: signInAccounts.id }).from(signInAccounts).where(oidc).limit(1)
  if (managed !== undefined)
    throw new AppError(
      'conflict',
      'You sign in with single sign-on. If you also need a password, ask an admin for a password link.',
    )
  const [key] = await tx.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.userId, userId)).limit(1)
  if (key !== undefined && !(await isRecentSignIn(tx, person, now)))
    throw new AppError('conflict', 'Sign out, sign in again with your passkey and set the password within ten minutes.')
}

/** Changes the password of the signed-in person. Ends their other sessions and their links. */
export const changePassword = async (
  ctx: PeopleCtx,
  { currentPassword, newPassword }: ChangePassword,
  person: PersonIdentity,
  by: Actor,
): Promise<void> => {
  const { db, now, host } = ctx
  const { userId, sessionId, name, email } = person
  const proven = await provePassword(ctx, userId, currentPassword, 'currentPassword')
  await checkPassword(newPassword, { name, email, host }, 'newPassword')
  const hash = await hashPassword(newPassword)
  await db.transaction(async (tx) => {
    const at = new Date(now())
    // A concurrent sign-in with the old password ends before this, or finds another hash.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
    await requireSamePassword(tx, userId, proven)
    if (proven === null) await requireMayChooseFirst(tx, person, at.getTime())
    await setPassword(tx, userId, hash, at)
    await tx.delete(sessions).where(and(eq(sessions.userId, userId), ne(sessions.id, sessionId)))
    await endLinks(tx, eq(oneTimeLinks.userId, userId), at)
    await recordAudit(tx, by, { action: 'user.password_changed', at, target: { type: 'user', id: userId, name } })
  })
}
