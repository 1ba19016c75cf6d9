import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { and, eq, gt } from 'drizzle-orm'
import { twoFactors, verifications } from '#people/accounts/accounts.table.ts'
import { findEnabledUser } from '#people/accounts/sign-in/complete-sign-in.ts'
import type { Tx } from '#ground/db/database.ts'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Six digits are a code of the app; other text is a backup code. */
export const isAppCode = (code: string): boolean => /^\d{6}$/.test(code)

/** Removes the spaces with which apps show a code (`123 456`). */
export const normalizeCode = (typed: string): string => typed.replaceAll(/\s/g, '')

/** Makes the secret of an app: 192 random bits as text, whose bytes are the key. */
export const makeAppSecret = (): string => randomBytes(24).toString('base64url')

/** RFC 6238 as every authenticator app supports it: SHA-1, six digits, half minutes. */
const createTotp = (secret: string, label = '') =>
  new TOTP({ issuer: 'Docket', label, secret: Secret.fromUTF8(secret), algorithm: 'SHA1', digits: 6, period: 30 })

/**
 * Returns the secret in the two forms that apps accept: the address for a QR code, and text to type. `label`: the name of the account in
 * the app.
 */
export const describeApp = (secret: string, label: string): { uri: string; secret: string } => {
  const totp = createTotp(secret, label)
  return { uri: totp.toString(), secret: totp.secret.base32 }
}

/** Checks a code of the app. Accepts the half minutes before and after the current one, because clocks differ. */
export const isRightAppCode = (secret: string, code: string, now: number): boolean =>
  isAppCode(code) && createTotp(secret).validate({ token: code, timestamp: now, window: 1 }) !== null

/** Makes ten backup codes of ten random characters (59 bits). */
export const makeBackupCodes = (): string[] =>
  Array.from({ length: 10 }, () => {
    const text = Array.from({ length: 10 }, () => letters[randomInt(letters.length)]).join('')
    return `${text.slice(0, 5)}-${text.slice(5)}`
  })

const hashCode = (code: string) => createHash('sha256').update(code).digest()

/** Takes a backup code out of a list. Null if the code is not in it. Compares with every code in constant time. */
export const takeBackupCode = (codes: readonly string[], code: string): string[] | null => {
  const typed = hashCode(code)
  const left = codes.filter((one) => !timingSafeEqual(hashCode(one), typed))
  return left.length < codes.length ? left : null
}

/** Time for which a used code is remembered: longer than a code is accepted, including clock differences. Milliseconds. */
const rememberedMs = 3 * 60_000

const toUsedCodeKey = (userId: string, code: string) => `used-code:${userId}:${code}`

/** Loads the second factor of an enabled user, or null. Serializes attempts for one account across all replicas. */
export const lockSecondFactor = async (tx: Tx, userId: string): Promise<typeof twoFactors.$inferSelect | null> => {
  if ((await findEnabledUser(tx, userId, 'no key update')) === null) return null
  const [row] = await tx.select().from(twoFactors).where(eq(twoFactors.userId, userId)).for('update')
  return row ?? null
}

/** True for a code that already opened a session. A person who saw it being typed must not be able to use it again. */
export const wasCodeUsed = async (tx: Tx, userId: string, code: string, now: number): Promise<boolean> => {
  const alive = and(
    eq(verifications.identifier, toUsedCodeKey(userId, code)),
    gt(verifications.expiresAt, new Date(now)),
  )
  return (await tx.select({ id: verifications.id }).from(verifications).where(alive)).length > 0
}

export const markCodeUsed = async (tx: Tx, userId: string, code: string, now: number): Promise<void> => {
  await tx
    .insert(verifications)
    .values({ identifier: toUsedCodeKey(userId, code), value: '', expiresAt: new Date(now + rememberedMs) })
}
