import { eq, isNotNull, or } from 'drizzle-orm'
import type { Tx } from '#db/database.ts'
import { type KeyRing, reencrypt } from '#secret/encrypted-text.ts'
import { codeHosts } from './code-hosts.table.ts'
import { connections } from './connections.table.ts'

/** Re-encrypts the keys of connections, and the tokens of their code hosts, that `retired` secrets encrypted. Removes those that none of the secrets opens: their connection asks for the key again. */
export const reencryptConnectionKeys = async (tx: Tx, ring: KeyRing, retired: readonly string[]): Promise<void> => {
  const sealed = or(isNotNull(connections.sealedKey), isNotNull(connections.sealedReadKey))
  const again = (data: string | null) => data && reencrypt(ring, retired, data)
  for (const row of await tx.select().from(connections).where(sealed).for('update')) {
    const set = { sealedKey: again(row.sealedKey), sealedReadKey: again(row.sealedReadKey) }
    if (set.sealedKey !== row.sealedKey || set.sealedReadKey !== row.sealedReadKey)
      await tx.update(connections).set(set).where(eq(connections.connectionId, row.connectionId))
  }
  for (const { codeHostId, sealedToken } of await tx.select().from(codeHosts).for('update')) {
    // Null would mean that the environment has it.
    const set = { sealedToken: sealedToken === null ? null : (again(sealedToken) ?? '') }
    if (set.sealedToken !== sealedToken) await tx.update(codeHosts).set(set).where(eq(codeHosts.codeHostId, codeHostId))
  }
}
