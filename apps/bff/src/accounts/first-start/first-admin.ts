import { recordAudit } from '#audit/audit.ts'
import { docketActor } from '#identity/actor.ts'
import { users } from '#accounts/accounts.table.ts'
import { hashPassword } from '#accounts/password-hash.ts'
import { holdFirstAccount, needsSetup } from '#accounts/setup.ts'
import { setPassword } from '#accounts/sign-in/own-password.ts'
import { checkPassword } from '#accounts/sign-in/password-rules.ts'
import type { Database } from '#db/database.ts'

/** First admin from the environment. */
export type ConfiguredAdmin = { email: string; password: string }

/**
 * Creates the first admin while no account exists, once over all replicas. Never changes an existing account. Returns whether it did.
 * Throws `invalid_request` when the password is too easy.
 */
export const createConfiguredAdmin = async (
  db: Database,
  { email, password }: ConfiguredAdmin,
  { now, host }: { now: number; host: string | null },
): Promise<boolean> => {
  if (!(await needsSetup(db))) return false
  await checkPassword(password, { name: null, email, host }, 'password')
  const hash = await hashPassword(password)
  return db.transaction(async (tx) => {
    await holdFirstAccount(tx)
    if (!(await needsSetup(tx))) return false
    const at = new Date(now)
    const name = email.split('@')[0]!
    const [user] = await tx
      .insert(users)
      .values({ name, email, role: 'admin', createdAt: at, updatedAt: at })
      .returning()
    await setPassword(tx, user!.id, hash, at)
    const target = { type: 'user', id: user!.id, name }
    const details = { role: 'admin', first: true, from: 'SETUP_ADMIN_EMAIL' }
    await recordAudit(tx, docketActor, { action: 'user.created', at, target, details })
    return true
  })
}
