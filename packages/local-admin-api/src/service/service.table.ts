import { smallint, text } from 'drizzle-orm/pg-core'
import { embedded } from '#database/database.ts'

export const service = embedded.table('service', {
  id: smallint('id').primaryKey().default(1),
  /** Key of the Admin API, encrypted. When null, the next process that starts sets its own. */
  sealedKey: text('sealed_key'),
  store: text('store'),
})
