import { createHash } from 'node:crypto'
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { managedNonce } from '@noble/ciphers/utils.js'
import { eq } from 'drizzle-orm'
import { twoFactors } from '#accounts/accounts.table.ts'
import type { Tx } from '#db/database.ts'
import { deriveKey } from '#secret/right-secret.ts'

type Ring = { secret: string; previousSecret: string | null }

const cipher = (secret: string) => managedNonce(xchacha20poly1305)(createHash('sha256').update(secret).digest())

/** A ciphertext is `$ba$<version>$<hex>`. The version is derived from its secret, so replicas agree on it in any order. */
const prefix = (secret: string): string => `$ba$${deriveKey(secret, 'version of second factors').readUIntBE(0, 6)}$`

/** Encrypts with the current secret (XChaCha20-Poly1305 with a random nonce). */
export const encrypt = ({ secret }: Pick<Ring, 'secret'>, text: string): string =>
  prefix(secret) + Buffer.from(cipher(secret).encrypt(Buffer.from(text))).toString('hex')

const decryptWith = (secrets: readonly string[], data: string): string | null => {
  // The first versions wrote no prefix, so the authentication tag alone decides which secret is right.
  const bytes = Buffer.from(data.replace(/^\$ba\$\d+\$/, ''), 'hex')
  for (const secret of secrets)
    try {
      return Buffer.from(cipher(secret).decrypt(bytes)).toString()
    } catch {
      continue
    }
  return null
}

/** Decrypts with the current or the previous secret. Throws when neither is right. */
export const decrypt = ({ secret, previousSecret }: Ring, data: string): string => {
  const text = decryptWith(previousSecret === null ? [secret] : [secret, previousSecret], data)
  if (text === null) throw new Error('Another secret encrypted this second factor. Set it as AUTH_SECRET_PREVIOUS.')
  return text
}

/** Re-encrypts second factors that `retired` secrets encrypted. Returns how many none of the secrets opens. */
export const reencryptSecondFactors = async (tx: Tx, ring: Ring, retired: readonly string[]): Promise<number> => {
  const current = prefix(ring.secret)
  const reencrypt = (data: string): string | null => {
    if (data.startsWith(current)) return data
    const text = decryptWith([ring.secret, ...retired], data)
    return text === null ? null : encrypt(ring, text)
  }
  let unreadable = 0
  for (const row of await tx.select().from(twoFactors).for('update')) {
    const [secret, backupCodes] = [reencrypt(row.secret), reencrypt(row.backupCodes)]
    if (secret === null || backupCodes === null) unreadable += 1
    else if (secret !== row.secret || backupCodes !== row.backupCodes)
      await tx.update(twoFactors).set({ secret, backupCodes }).where(eq(twoFactors.id, row.id))
  }
  return unreadable
}
