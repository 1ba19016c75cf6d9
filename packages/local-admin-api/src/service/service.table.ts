import { smallint, text } from 'drizzle-orm/pg-core'
import { embedded } from '#database/schema.ts'

/** The one row of the service, which all of its processes share. */
export const service = embedded.table('service', {
  id: smallint('id').primaryKey().default(1),
  /** Key of the Admin API, sealed. Null: the next process that starts sets its own. */
  sealedKey: text('sealed_key'),
  /** Id of the storage that the service used last. */
  store: text('store'),
})
