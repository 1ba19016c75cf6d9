import { eq } from 'drizzle-orm'
import { twoFactors } from '#accounts/accounts.table.ts'
import type { Tx } from '#db/database.ts'
import { deriveKey } from '#secret/check-value.ts'

type Ring = { secret: string; previousSecret: string | null }

// Derived from the secret, so that replicas agree on it in whatever order they learn a new one.
const versionOf = (secret: string): number => deriveKey(secret, 'version of second factors').readUIntBE(0, 6)

/** The secrets as better-auth takes them, the one that encrypts first. Each ciphertext names the version it was written under. */
export const keyRing = ({ secret, previousSecret }: Ring): { version: number; value: string }[] =>
  [secret, previousSecret].flatMap((value) => (value === null ? [] : [{ version: versionOf(value), value }]))

/**
 * Re-encrypts second factors that the current secret did not encrypt. `retired` are the secrets that may have. Leaves those that none
 * of them opens, and returns how many there are.
 */
export const reencryptSecondFactors = async (tx: Tx, ring: Ring, retired: readonly string[]): Promise<number> => {
  const { symmetricDecrypt, symmetricEncrypt } = await import('better-auth/crypto')
  const keys = new Map(keyRing(ring).map(({ version, value }) => [version, value]))
  const config = { keys, currentVersion: versionOf(ring.secret) }
  const isCurrent = (data: string) => data.startsWith(`$ba$${config.currentVersion}$`)
  const decrypt = async (data: string): Promise<string | null> => {
    // Ciphertexts of earlier versions do not name theirs, so each secret is tried.
    for (const key of [config, ring.secret, ...retired]) {
      const text = await symmetricDecrypt({ key, data }).catch(() => null)
      if (text !== null) return text
    }
    return null
  }
  const reencrypt = async (data: string): Promise<string | null> => {
    if (isCurrent(data)) return data
    const text = await decrypt(data)
    return text === null ? null : symmetricEncrypt({ key: config, data: text })
  }
  let unreadable = 0
  for (const row of await tx.select().from(twoFactors).for('update')) {
    const [secret, backupCodes] = [await reencrypt(row.secret), await reencrypt(row.backupCodes)]
    if (secret === null || backupCodes === null) unreadable += 1
    else if (secret !== row.secret || backupCodes !== row.backupCodes)
      await tx.update(twoFactors).set({ secret, backupCodes }).where(eq(twoFactors.id, row.id))
  }
  return unreadable
}
