import { and, eq, gt, isNull } from 'drizzle-orm'
import { twoFactors, users, verifications } from '#accounts/accounts.table.ts'
import type { Tx } from '#db/database.ts'

/** Longer than a code is accepted: its half minute, the one before and the one after, and clocks that differ. Milliseconds. */
const rememberedMs = 3 * 60_000

const usedCode = (userId: string, code: string) => `used-code:${userId}:${code}`

/**
 * Loads the second factor of a user who is not disabled, or null. Attempts for one account wait for each other, over all replicas,
 * until the transaction ends.
 */
export const lockSecondFactor = async (tx: Tx, userId: string): Promise<typeof twoFactors.$inferSelect | null> => {
  const enabled = and(eq(users.id, userId), isNull(users.disabledAt))
  const [user] = await tx.select({ id: users.id }).from(users).where(enabled).for('no key update')
  if (user === undefined) return null
  const [row] = await tx.select().from(twoFactors).where(eq(twoFactors.userId, userId)).for('update')
  return row ?? null
}

/** True for a code that opened a session before. A person who saw it over a shoulder must not use it again. */
export const wasUsed = async (tx: Tx, userId: string, code: string, now: number): Promise<boolean> => {
  const alive = and(eq(verifications.identifier, usedCode(userId, code)), gt(verifications.expiresAt, new Date(now)))
  return (await tx.select({ id: verifications.id }).from(verifications).where(alive)).length > 0
}

/** Records a code as used. */
export const markUsed = async (tx: Tx, userId: string, code: string, now: number): Promise<void> => {
  await tx
    .insert(verifications)
    .values({ identifier: usedCode(userId, code), value: '', expiresAt: new Date(now + rememberedMs) })
}
