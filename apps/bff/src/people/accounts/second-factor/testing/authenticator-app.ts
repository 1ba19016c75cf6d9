import { createHmac } from 'node:crypto'
import { BackupCodes, SecondFactorSetup } from '@docket/api-types/accounts'
import { sql } from 'drizzle-orm'
import { goodPassword, withPassword, type browser } from '#people/accounts/testing/browser.ts'
import type { Database } from '#ground/db/database.ts'

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The bytes of a secret as authenticator apps read it; null for any other text. */
export const secretBytes = (secret: string): Buffer | null => {
  const places = secret.split('').map((letter) => base32.indexOf(letter))
  if (places.includes(-1)) return null
  const bits = places.map((place) => place.toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** RFC 6238 as an authenticator app does it: SHA-1, six digits, half minutes. */
export const appCode = (key: Buffer, at = Date.now()): string => {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(at / 30_000)))
  const mac = createHmac('sha1', key).update(counter).digest()
  const from = mac.at(-1)! & 15
  return String((mac.readUInt32BE(from) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** Signs in a new person with a password and sets up their app. `code` returns the current code, which has not been used yet. */
export const withAuthenticatorApp = async (
  db: Database,
  email: string,
  { send, signIn }: ReturnType<typeof browser>,
) => {
  const { id: userId } = await withPassword(db, email)
  await signIn(email)
  const setup = await send('POST', '/api/account/second-factor/begin', { password: goodPassword })
  const { secret } = SecondFactorSetup.parse(await setup.json())
  const code = () => appCode(secretBytes(secret)!)
  const confirmed = await send('POST', '/api/account/second-factor/confirm', { code: code() })
  const { codes } = BackupCodes.parse(await confirmed.json())
  const forgetUsed = () =>
    db.execute(sql`delete from sign_in_verifications where identifier like ${`used-code:${userId}:%`}`)
  await forgetUsed()
  return { userId, email, secret, codes, code, forgetUsed }
}
