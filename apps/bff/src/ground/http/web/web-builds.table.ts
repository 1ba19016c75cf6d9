import { customType, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '#ground/db/watch-columns.ts'

const bytes = customType<{ data: Uint8Array<ArrayBuffer>; driverData: Uint8Array<ArrayBuffer> }>({
  dataType: () => 'bytea',
})

/** Hashed files of the web app, from every build that ran in the last days. The content of a name never changes. */
export const webFiles = pgTable('web_files', {
  path: text('path').primaryKey(),
  bytes: bytes('bytes').notNull(),
  /** The content compressed. Null when compression saves nothing. */
  brotli: bytes('brotli'),
  gzip: bytes('gzip'),
  /** When a Docket with this build last started or cleaned up. */
  usedAt: instant('used_at').notNull(),
})
