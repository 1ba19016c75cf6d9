import { eq, isNotNull, or, sql } from 'drizzle-orm'
import type { Tx } from '#ground/db/database.ts'
import { type KeyRing, reencrypt } from '#ground/secret/encrypted-text.ts'
import { codeHosts } from './code-hosts.table.ts'
import { connections } from '#ground/db/connections.table.ts'

/** Re-encrypts the keys of connections, the tokens of their code hosts, the secrets of targets, and the key of the embedded service, that `retired` secrets encrypted. What none of the secrets opens stays as it is: the right one may come back. */
export const reencryptSealedKeys = async (tx: Tx, ring: KeyRing, retired: readonly string[]): Promise<void> => {
  const sealed = or(isNotNull(connections.sealedKey), isNotNull(connections.sealedReadKey))
  const again = <T extends string | null>(data: T) => data && (reencrypt(ring, retired, data) ?? data)
  for (const row of await tx.select().from(connections).where(sealed).for('update')) {
    const set = { sealedKey: again(row.sealedKey), sealedReadKey: again(row.sealedReadKey) }
    if (set.sealedKey !== row.sealedKey || set.sealedReadKey !== row.sealedReadKey)
      await tx.update(connections).set(set).where(eq(connections.connectionId, row.connectionId))
  }
  for (const { codeHostId, sealedToken } of await tx.select().from(codeHosts).for('update')) {
    const set = { sealedToken: again(sealedToken) }
    if (set.sealedToken !== sealedToken) await tx.update(codeHosts).set(set).where(eq(codeHosts.codeHostId, codeHostId))
  }
  // Names the table of a slice, because every sealed text has to move with the instance secret.
  const { rows } = await tx.execute<{ id: string; sealed: string }>(
    sql`select target_id as id, sealed_secret as sealed from targets where sealed_secret is not null for update`,
  )
  for (const { id, sealed } of rows) {
    const moved = again(sealed)
    if (moved !== sealed) await tx.execute(sql`update targets set sealed_secret = ${moved} where target_id = ${id}`)
  }
  // Without its key, the embedded service takes that of the next process that starts.
  const { rows: services } = await tx.execute<{ sealed: string }>(
    sql`select sealed_key as sealed from embedded_service.service where sealed_key is not null for update`,
  )
  for (const { sealed } of services) {
    const moved = reencrypt(ring, retired, sealed)
    if (moved !== sealed) await tx.execute(sql`update embedded_service.service set sealed_key = ${moved}`)
  }
}
