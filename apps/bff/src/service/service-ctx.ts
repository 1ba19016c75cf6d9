import type { Ctx } from '#ground/ctx.ts'
import type { Database } from '#ground/db/database.ts'
import type { TokenScope } from '#ground/http/access/token-scope.ts'
import type { KeyRing } from '#ground/secret/encrypted-text.ts'
import type { ConnectionRegistry } from '#service/connections/connection-registry.ts'
import type { EmbeddedFacts } from '#service/connections/embedded-switch.ts'
import type { OpenClient } from '#service/connections/open-client.ts'
import type { OpenConnection, ReadTable } from '#service/connections/open-connection.ts'
import type { Retention } from '#service/history/retention.ts'
import type { createReadQueries } from '#service/polling/due-reads.ts'
import type { WatchedClass } from '#service/rate-limit/rate-limit.table.ts'

type RecordKindReads = ReturnType<typeof createReadQueries> & {
  table: ReadTable
  countActive: (db: Database, scope: TokenScope) => Promise<number>
}

export type ServiceCtx = Ctx & {
  openClient: OpenClient
  registry: ConnectionRegistry<OpenConnection>
  kinds: Readonly<Record<WatchedClass, RecordKindReads>>
  embedded: EmbeddedFacts
  /** Encrypts the keys of connections. */
  ring: KeyRing
  /** Folder of the key files that a connection may use. */
  keysFolder: string | null
  /** Retention of the history. In days. */
  retentionDays: Retention
}
