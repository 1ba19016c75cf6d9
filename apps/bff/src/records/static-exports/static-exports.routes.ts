import type { StaticExport } from '@docket/api-types/static-exports'
import { apiRoutes } from '#ground/http/api-routes.ts'
import { streamFile, toCsv } from '#ground/http/csv.ts'
import type { ConditionalGet } from '#ground/http/conditional-get/conditional-get.ts'
import { coalesce } from '#ground/http/conditional-get/coalesce.ts'
import { narrowScope, readScope } from '#ground/http/access/token-scope.ts'
import type { RecordName } from '#service/polling/viewers.ts'
import { exportColumns } from './static-exports.csv.ts'
import type { StaticExportService } from './static-exports.service.ts'

const isChanging = ({ state, goneAt, removedAt }: Pick<StaticExport, 'state' | 'goneAt' | 'removedAt'>) =>
  state === 'accepted' && goneAt === null && !removedAt

/**
 * `/api/static-exports`: start static exports and read their last known state. Calls `onView` with the changing exports
 * of each poll.
 */
export const staticExportRoutes = (
  exports: StaticExportService,
  polled: ConditionalGet,
  onView: (names: readonly RecordName[]) => void,
) => {
  const current = coalesce(exports.current)
  return apiRoutes()
    .poll('GET /api/static-exports', polled, (c) => ({
      current,
      read: async (scope) => {
        const value = await exports.list(c.req.valid('query'), scope)
        const names = value.items.filter(isChanging).map(({ exportId }) => [exportId])
        return { value, onPoll: () => onView(names) }
      },
    }))
    .poll('GET /api/static-exports/checks', polled, (c) => ({
      read: async (scope) => ({ value: await exports.checks(c.req.valid('query'), scope) }),
    }))
    .serve('GET /api/static-exports/export.csv', async (c) => {
      const { now, pieces } = await exports.export(c.req.valid('query'), readScope(c.var.identity))
      return streamFile(c, { what: 'exports', ending: 'csv', now, texts: toCsv(exportColumns, pieces) })
    })
    .poll('GET /api/static-exports/filters', polled, (c) => ({
      current,
      read: async (scope) => ({ value: await exports.filters(narrowScope(scope, c.req.valid('query'))) }),
    }))
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
    .poll('GET /api/static-exports/{exportId}', polled, (c) => ({
      read: async () => {
        const value = await exports.get(c.req.valid('param').exportId)
        return isChanging(value) ? { value, onPoll: () => onView([[value.exportId]]) } : { value }
      },
    }))
    .poll('GET /api/static-exports/{exportId}/history', polled, (c) => exports.history(c.req.valid('param').exportId))
    .serve('DELETE /api/static-exports/{exportId}', (c) => exports.remove(c.req.valid('param').exportId, c.var.actor))
    .serve('POST /api/static-exports/{exportId}/restore', (c) =>
      exports.restore(c.req.valid('param').exportId, c.var.actor),
    )
    .serve('POST /api/static-exports/{exportId}/dismiss', (c) =>
      exports.dismiss(c.req.valid('param').exportId, c.var.actor),
    )
    .serve('DELETE /api/static-exports/{exportId}/dismiss', (c) =>
      exports.undoDismissal(c.req.valid('param').exportId, c.var.actor),
    )
    .serve('PATCH /api/static-exports/{exportId}', (c) =>
      exports.note(c.req.valid('param').exportId, { note: c.req.valid('json').note, by: c.var.actor }),
    )
    .serve('POST /api/static-exports/{exportId}/attach', (c) =>
      exports.attach(c.req.valid('param').exportId, { jobId: c.req.valid('json').jobId, by: c.var.actor }),
    )
    .serve('POST /api/static-exports/{exportId}/check', (c) =>
      exports.check(c.req.valid('param').exportId, c.var.actor),
    )
    .serve('POST /api/static-exports/{exportId}/cancel', (c) =>
      exports.cancel(c.req.valid('param').exportId, c.var.actor),
    )
}
