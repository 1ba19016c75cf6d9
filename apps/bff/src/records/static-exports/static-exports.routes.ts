import type { StaticExport } from '@docket/api-types/static-exports'
import { apiRoutes } from '#ground/http/api-routes.ts'
import type { ConditionalGet } from '#ground/http/conditional-get/conditional-get.ts'
import { recordRoutes, createRevisionReader } from '#records/record-routes.ts'
import type { RecordName } from '#service/polling/viewers.ts'
import type { ExportsCtx } from '#records/static-exports/exports-ctx.ts'
import { attachExport, importExport } from './attach-export.ts'
import { cancelExport, dismissExport, noteExport, treatExportStatus, undoDismissal } from './change-export.ts'
import {
  openExportHistory,
  getExport,
  listAllExports,
  listExportChecks,
  listExportFilters,
  listExports,
} from './read-exports.ts'
import { removeExport, restoreExport } from './remove-export.ts'
import { startExport } from './start-export.ts'
import { checkExport } from './static-exports.watcher.ts'
import { summariseExports } from './statistics/statistics.ts'
import type { CsvColumns } from '#ground/http/csv.ts'

/** CSV files contain no bundle link. */
const exportColumns: CsvColumns<StaticExport> = {
  started_at: (row) => row.startedAt,
  domain: (row) => row.domain,
  version: (row) => row.version,
  paths: (row) => row.paths?.join(' ') ?? null,
  state: (row) =>
    row.goneAt !== null && row.state === 'accepted'
      ? 'gone'
      : row.state === 'failed' && row.reason === 'cancelled'
        ? 'cancelled'
        : row.state,
  service_status: (row) => row.status,
  progress_percent: (row) => row.progress,
  pages: (row) => row.pageCount,
  reason: (row) => row.reason,
  finished_at: (row) => row.finishedAt,
  duration_ms: (row) => row.durationMs ?? null,
  bundle_bytes: (row) => row.bundle?.sizeBytes ?? null,
  bundle_sha256: (row) => row.bundle?.sha256 ?? null,
  artifact: (row) => row.artifact?.reason ?? row.artifact?.state ?? null,
  artifact_breaks: (row) => row.artifact?.check?.findings.breaks ?? null,
  artifact_leaks: (row) => row.artifact?.check?.findings.leaks ?? null,
  imported: (row) => row.imported,
  removed_at: (row) => row.removedAt ?? null,
  connection_id: (row) => row.connectionId ?? null,
  job_id: (row) => row.jobId,
  export_id: (row) => row.exportId,
}

const isExportChanging = ({ state, goneAt, removedAt }: Pick<StaticExport, 'state' | 'goneAt' | 'removedAt'>) =>
  state === 'accepted' && goneAt === null && !removedAt

/** Calls `onView` with the changing exports of each poll. */
export const staticExportRoutes = (
  ctx: ExportsCtx,
  polled: ConditionalGet,
  onView: (names: readonly RecordName[]) => void,
) => {
  const shared = recordRoutes<ExportsCtx, string, StaticExport>(
    ctx,
    {
      name: 'static_exports',
      list: '/api/static-exports',
      one: '/api/static-exports/{exportId}',
      verbs: {
        list: listExports,
        listAll: listAllExports,
        listChecks: listExportChecks,
        listFilters: listExportFilters,
        get: getExport,
        history: openExportHistory,
        remove: removeExport,
        restore: restoreExport,
        dismiss: dismissExport,
        undoDismissal,
        note: noteExport,
        check: checkExport,
        cancel: cancelExport,
        treat: treatExportStatus,
      },
      toKey: ({ params }) => params.exportId,
      isChanging: isExportChanging,
      toName: ({ exportId }) => [exportId],
      file: { what: 'exports', columns: exportColumns },
    },
    polled,
    onView,
  )
  const current = createRevisionReader(ctx, 'static_exports')
  // This route comes first, because the route of an export would read `statistics` as an id.
  return apiRoutes()
    .poll('GET /api/static-exports/statistics', polled, ({ query }) => ({
      current,
      read: (scope) => summariseExports(ctx.db, query, { scope, now: ctx.now() }),
    }))
    .serve('POST /api/static-exports', ({ body, by, scope }) => startExport(ctx, body, by, scope))
    .serve('POST /api/static-exports/import', ({ body, by, scope }) => importExport(ctx, body, by, scope))
    .serve('POST /api/static-exports/{exportId}/attach', ({ exportId, body, by }) =>
      attachExport(ctx, exportId, { jobId: body.jobId, by }),
    )
    .route('/', shared)
}
