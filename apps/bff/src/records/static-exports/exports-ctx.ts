import type { Artifact } from '@docket/api-types/artifacts'
import type { AdminApi } from '#service/admin-api/admin-api.ts'
import type { callsAtMostOnce } from '#service/admin-api/at-most-once.ts'
import type { PerConnection } from '#service/connections/per-connection.ts'
import type { Retention } from '#service/history/retention.ts'
import type { Polling } from '#service/polling/polling.ts'
import type { createRecordWatcher } from '#service/polling/watcher.ts'
import type { Ctx } from '#ground/ctx.ts'
import type { Actor } from '#ground/identity/identity.ts'
import type { exportDurations } from '#records/static-exports/static-exports.history.ts'
import type { StaticExportRow } from '#records/static-exports/static-exports.state.ts'

export type ExportsHere = {
  adminApi: AdminApi
  polling: Polling
  watcher: ReturnType<typeof createRecordWatcher>
  /** Resolves to false for an export without a jobId. */
  readNow: (key: { exportId: string }, by: Actor | null) => Promise<boolean>
  starts: ReturnType<typeof callsAtMostOnce<StaticExportRow>>
}

export type ExportsCtx = Ctx & {
  connections: PerConnection<{ exports: ExportsHere }>
  /** In days. */
  retentionDays: Retention
  readArtifacts: (exportIds: readonly string[]) => Promise<ReadonlyMap<string, Artifact>>
  exportDurations: ReturnType<typeof exportDurations>
}
