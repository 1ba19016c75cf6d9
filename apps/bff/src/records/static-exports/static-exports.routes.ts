import type { StaticExport } from '@docket/api-types/static-exports'
import { apiRoutes } from '#ground/http/api-routes.ts'
import type { ConditionalGet } from '#ground/http/conditional-get/conditional-get.ts'
import { coalesce } from '#ground/http/conditional-get/coalesce.ts'
import { readScope } from '#ground/http/access/token-scope.ts'
import { recordRoutes } from '#records/record-routes.ts'
import type { RecordName } from '#service/polling/viewers.ts'
import { exportColumns } from './static-exports.csv.ts'
import type { StaticExportService } from './static-exports.service.ts'

const isChanging = ({ state, goneAt, removedAt }: Pick<StaticExport, 'state' | 'goneAt' | 'removedAt'>) =>
  state === 'accepted' && goneAt === null && !removedAt

/** `/api/static-exports`. Calls `onView` with the changing exports of each poll. */
export const staticExportRoutes = (
  exports: StaticExportService,
  polled: ConditionalGet,
  onView: (names: readonly RecordName[]) => void,
) => {
  const current = coalesce(exports.current)
  const shared = recordRoutes<string, StaticExport>(
    {
      list: '/api/static-exports',
      one: '/api/static-exports/{exportId}',
      service: exports,
      readKey: (c) => c.req.valid('param').exportId,
      isChanging,
      toName: ({ exportId }) => [exportId],
      file: { what: 'exports', columns: exportColumns },
    },
    polled,
    onView,
  )
  // First, because the address of an export would take `statistics` for an id.
  return apiRoutes()
    .poll('GET /api/static-exports/statistics', polled, (c) => ({
      current,
      read: (scope) => exports.statistics(c.req.valid('query'), scope),
    }))
    .serve('POST /api/static-exports', (c) =>
      exports.start(c.req.valid('json'), c.var.actor, readScope(c.var.identity)),
    )
    .serve('POST /api/static-exports/import', (c) =>
      exports.import(c.req.valid('json'), c.var.actor, readScope(c.var.identity)),
    )
    .serve('POST /api/static-exports/{exportId}/attach', (c) =>
      exports.attach(c.req.valid('param').exportId, { jobId: c.req.valid('json').jobId, by: c.var.actor }),
    )
    .route('/', shared)
}
