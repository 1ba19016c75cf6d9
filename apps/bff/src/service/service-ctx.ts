import type { ConnectionReport } from '@docket/api-types/connection'
import type { Ctx } from '#ground/ctx.ts'
import type { Database, Tx } from '#ground/db/database.ts'
import type { TokenScope } from '#ground/http/access/token-scope.ts'
import type { KeyRing } from '#ground/secret/encrypted-text.ts'
import type { ConnectionRegistry } from '#service/connections/connection-registry.ts'
import type { EmbeddedFacts } from '#service/connections/embedded-switch.ts'
import type { OpenConnection, ReadTable } from '#service/connections/open-connection.ts'
import type { Retention } from '#service/history/retention.ts'
import type { LateReads } from '#service/polling/due-reads.ts'
import type { WatchedClass } from '#service/rate-limit/rate-limit.table.ts'

type RecordKindReads = {
  table: ReadTable
  countActive: (db: Database, scope: TokenScope) => Promise<number>
  late: (connectionId: string) => Promise<LateReads>
  /** Soonest first. */
  next: (connectionId: string, limit: number) => Promise<ConnectionReport['nextChecks']>
  /** Makes records of a connection due whose last read was rate-limited. */
  readLimitedNow: (tx: Tx, connectionId: string) => Promise<void>
}

export type ServiceCtx = Ctx & {
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
