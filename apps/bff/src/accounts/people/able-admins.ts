import { and, eq, exists, isNotNull, isNull, ne, or, type SQL } from 'drizzle-orm'
import { passkeys, signInAccounts, users } from '#accounts/accounts.table.ts'
import type { Tx } from '#db/database.ts'

/** Whether a user has a way to sign in that lasts: a password, a single sign-on or a passkey. */
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

const ableAdmin = and(eq(users.role, 'admin'), isNull(users.disabledAt))

/**
 * Locks every admin who is not disabled until the transaction ends, and answers with their ids. Whatever could leave a Docket without
 * an admin takes this first: of two admins who demote each other at once, one is first, and the other is an admin no more.
 */
export const lockAdmins = async (tx: Tx): Promise<string[]> => {
  const rows = await tx.select({ id: users.id }).from(users).where(ableAdmin).orderBy(users.id).for('update')
  return rows.map(({ id }) => id)
}

/** Whether an admin is left who is not disabled and can sign in again. */
export const hasAbleAdmin = async (tx: Tx): Promise<boolean> => {
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(ableAdmin, canSignIn(tx)))
    .limit(1)
  return rows.length > 0
}
