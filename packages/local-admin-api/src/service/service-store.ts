import { sql } from 'drizzle-orm'
import type { Database } from '#database/database.ts'
import type { Log } from '#log.ts'
import { service } from './service.table.ts'

/** Another process of the service keeps its files elsewhere. The message tells the operator the next step. */
export class StoreNotShared extends Error {
  override readonly name = 'StoreNotShared'
}

/**
 * Notes which storage the service uses. Throws `StoreNotShared` when other processes that are alive use another one: their bundles would be
 * missing here. `store`: null when it does not answer. Call it after this process said which storage it has.
 */
export const useStore = async (deps: {
  db: Database
  store: string | null
  listOthers: () => Promise<readonly { host: string; store: string | null }[]>
  log: Log
}): Promise<void> => {
  const { db, store, listOthers, log } = deps
  if (store === null) return
  const other = (await listOthers()).find((process) => process.store !== null && process.store !== store)
  if (other !== undefined)
    throw new StoreNotShared(
      `Set ARTIFACT_S3_BUCKET, or one ARTIFACT_STORE_DIR that all machines share: the Docket on ${other.host} uses this database and keeps the bundles of the embedded service elsewhere.`,
    )
  const [known] = await db.select({ store: service.store }).from(service)
  if (known?.store === store) return
  await db
    .insert(service)
    .values({ id: 1, store })
    .onConflictDoUpdate({ target: service.id, set: { store: sql`excluded.store` } })
  if (known !== undefined && known.store !== null)
    log.warn(
      {},
      'the embedded service has another store of bundles than before; bundles that are only in the old one are missing',
    )
}
