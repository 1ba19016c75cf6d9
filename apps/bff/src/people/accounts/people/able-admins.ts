import { and, eq, exists, isNotNull, isNull, ne, or, type SQL } from 'drizzle-orm'
import { passkeys, signInAccounts, users } from '#people/accounts/accounts.table.ts'
import type { Tx } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { Actor } from '#ground/identity/identity.ts'

/** Condition for users with a lasting way to sign in: a password, a single sign-on or a passkey. */
export const canSignIn = (db: Tx): SQL | undefined =>
  or(
    exists(
      db
        .select({ id: signInAccounts.id })
        .from(signInAccounts)
        .where(
          and(
            eq(signInAccounts.userId, users.id),
            or(isNotNull(signInAccounts.password), ne(signInAccounts.providerId, 'credential')),
          ),
        ),
    ),
    exists(db.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.userId, users.id))),
  )

const ableAdmin = and(eq(users.role, 'admin'), isNull(users.disabledAt), isNull(users.refusedAt))

/**
 * Locks all enabled admins and returns their ids. Call it before changes that could remove the last admin: if two demote each other, one
 * succeeds.
 */
export const lockAdmins = async (tx: Tx): Promise<string[]> => {
  const rows = await tx.select({ id: users.id }).from(users).where(ableAdmin).orderBy(users.id).for('update')
  return rows.map(({ id }) => id)
}

/** Throws `forbidden` unless the actor is still an admin. Locks them, so that a concurrent change of admins waits. */
export const requireAdmin = async (tx: Tx, { id }: Pick<Actor, 'id'>): Promise<void> => {
  if (id === null || !(await lockAdmins(tx)).includes(id))
    throw new AppError('forbidden', 'You are no longer an admin.')
}

/** True while an enabled admin can sign in again. */
export const hasAbleAdmin = async (tx: Tx): Promise<boolean> => {
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(ableAdmin, canSignIn(tx)))
    .limit(1)
  return rows.length > 0
}
