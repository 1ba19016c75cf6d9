import { sql } from 'drizzle-orm'
import type { Database } from '#database/database.ts'
import { service } from './service.table.ts'

export type Seal = { seal: (text: string) => string; open: (sealed: string) => string }

/** Key of the service for all of its processes: that of the first one to call this with its `ownKey`. Throws what `open` throws. */
export const openServiceKey = async (db: Database, ownKey: string, { seal, open }: Seal): Promise<string> => {
  const [row] = await db
    .insert(service)
    .values({ id: 1, sealedKey: seal(ownKey) })
    .onConflictDoUpdate({
      target: service.id,
      set: { sealedKey: sql`coalesce(${service.sealedKey}, excluded.sealed_key)` },
    })
    .returning({ sealedKey: service.sealedKey })
  return open(row!.sealedKey!)
}
