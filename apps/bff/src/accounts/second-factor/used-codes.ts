import { and, eq, gt } from 'drizzle-orm'
import { twoFactors, users, verifications } from '#accounts/accounts.table.ts'
import type { Tx } from '#db/database.ts'

/** Longer than a code of an app is right: its half minute, the one before and the one after, and clocks that differ. Milliseconds. */
const rememberedMs = 3 * 60_000

const identifierOf = (userId: string, code: string) => `used-code:${userId}:${code}`

/** Lets attempts of one account wait for each other, over all replicas, until the transaction ends. */
export const lockSecondFactor = async (tx: Tx, userId: string): Promise<typeof twoFactors.$inferSelect | null> => {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
  const [row] = await tx.select().from(twoFactors).where(eq(twoFactors.userId, userId)).for('update')
  return row ?? null
}

/** Whether a code of the app has been used before: whoever looked over a shoulder must not use it again while it is still right. */
export const wasUsed = async (tx: Tx, userId: string, code: string, now: number): Promise<boolean> => {
  const alive = and(
    eq(verifications.identifier, identifierOf(userId, code)),
    gt(verifications.expiresAt, new Date(now)),
  )
  return (await tx.select({ id: verifications.id }).from(verifications).where(alive)).length > 0
}

/** Writes down that a code was used. */
export const markUsed = async (tx: Tx, userId: string, code: string, now: number): Promise<void> => {
  await tx
    .insert(verifications)
    .values({ identifier: identifierOf(userId, code), value: '', expiresAt: new Date(now + rememberedMs) })
}
