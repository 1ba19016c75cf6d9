import { eq } from 'drizzle-orm'
import { twoFactors } from '#people/accounts/accounts.table.ts'
import type { Tx } from '#ground/db/database.ts'
import { type KeyRing, reencryptText } from '#ground/secret/encrypted-text.ts'

/** Re-encrypts second factors that `retired` secrets encrypted. Returns how many no secret can decrypt. */
export const reencryptSecondFactors = async (tx: Tx, ring: KeyRing, retired: readonly string[]): Promise<number> => {
  let unreadable = 0
  for (const row of await tx.select().from(twoFactors).for('update')) {
    const [secret, backupCodes] = [
      reencryptText(ring, retired, row.secret),
      reencryptText(ring, retired, row.backupCodes),
    ]
    if (secret === null || backupCodes === null) unreadable += 1
    else if (secret !== row.secret || backupCodes !== row.backupCodes)
      await tx.update(twoFactors).set({ secret, backupCodes }).where(eq(twoFactors.id, row.id))
  }
  return unreadable
}
