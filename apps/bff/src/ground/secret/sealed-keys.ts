import { sql } from 'drizzle-orm'
import type { Tx } from '#ground/db/database.ts'
import { schemas } from '#ground/db/schemas.ts'
import { type KeyRing, reencryptText } from './encrypted-text.ts'

/**
 * Table, key and column of each encrypted text except second factors. They are named as text, because every area may have some and a
 * rotation re-encrypts all of them.
 */
const sealedColumns = [
  ['connections', 'connection_id', 'sealed_key'],
  ['connections', 'connection_id', 'sealed_read_key'],
  ['connections', 'connection_id', 'sealed_headers'],
  ['connections', 'connection_id', 'sealed_client_certificate'],
  ['code_hosts', 'code_host_id', 'sealed_token'],
  ['targets', 'target_id', 'sealed_secret'],
  ['sessions', 'id', 'sealed_refresh_token'],
] as const

/**
 * Re-encrypts the keys, headers and client certificates of connections, the tokens of their code hosts, the secrets of targets, the refresh tokens of sessions, and the key of the embedded service, that
 * `retired` secrets encrypted. Text that no secret can decrypt is kept, because the right secret may be restored.
 */
export const reencryptSealedKeys = async (tx: Tx, ring: KeyRing, retired: readonly string[]): Promise<void> => {
  for (const names of sealedColumns) {
    const [table, key, column] = names.map((name) => sql.identifier(name))
    const { rows } = await tx.execute<{ id: string; sealed: string }>(
      sql`select ${key} as id, ${column} as sealed from ${table} where ${column} is not null for update`,
    )
    for (const { id, sealed } of rows) {
      const moved = reencryptText(ring, retired, sealed) ?? sealed
      if (moved !== sealed) await tx.execute(sql`update ${table} set ${column} = ${moved} where ${key} = ${id}`)
    }
  }
  const service = sql`${sql.identifier(schemas.embedded)}.service`
  // Without a stored key, the embedded service uses the key of the next process that starts.
  const { rows: services } = await tx.execute<{ sealed: string }>(
    sql`select sealed_key as sealed from ${service} where sealed_key is not null for update`,
  )
  for (const { sealed } of services) {
    const moved = reencryptText(ring, retired, sealed)
    if (moved !== sealed) await tx.execute(sql`update ${service} set sealed_key = ${moved}`)
  }
}
