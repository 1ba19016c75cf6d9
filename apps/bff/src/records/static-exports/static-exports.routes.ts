import type { StaticExport } from '@docket/api-types/static-exports'
import { z } from '@hono/zod-openapi'
import { apiRoute, apiRoutes, failure, polledRoute } from '#ground/http/api-routes.ts'
import { streamFile, toCsv } from '#ground/http/csv.ts'
import type { ConditionalGet } from '#ground/http/conditional-get/conditional-get.ts'
import { coalesce } from '#ground/http/conditional-get/coalesce.ts'
import { narrowScope, readScope } from '#ground/http/access/token-scope.ts'
import type { RecordName } from '#service/polling/viewers.ts'
import { exportColumns } from './static-exports.csv.ts'
import type { StaticExportService } from './static-exports.service.ts'

const list = polledRoute('/api/static-exports', {
  summary: 'Static exports, filtered and sorted, in pages',
  answer: 'A page of exports.',
})
const checks = polledRoute('/api/static-exports/checks', {
  summary: 'When the exports on a page of the list were and will be checked; the query is that of the page',
  answer: 'The checks, in the order of the page.',
})
const csv = apiRoute('GET', '/api/static-exports/export.csv', {
  summary: 'All exports that match the filters of the list, as CSV',
  responses: {
    200: {
      description: 'The file, in the order of the list.',
      content: { 'text/csv': { schema: z.string() } },
    },
    ...failure,
  },
})
const filters = polledRoute('/api/static-exports/filters', {
  summary: 'What the list of exports can be filtered by',
  answer: 'Values to suggest.',
})
const statistics = polledRoute('/api/static-exports/statistics', {
  summary: 'Durations, pages, sizes and outcomes of finished exports, by day and for the latest of one domain',
  answer: 'Numbers with their sample sizes.',
})
const start = apiRoute('POST', '/api/static-exports', {
  summary: 'Start a static export; the same requestId never starts a second one',
  answer: 'The record of the start, also when the service refused it (`refused`) or did not answer (`unknown`).',
  status: 201,
})
const importJob = apiRoute('POST', '/api/static-exports/import', {
  summary: 'Track an export that was started elsewhere; it is read from the Admin API first',
  answer: 'The export.',
  status: 201,
})
const read = polledRoute('/api/static-exports/{exportId}', {
  summary: 'One static export',
  answer: 'Its last known state.',
})
const history = polledRoute('/api/static-exports/{exportId}/history', {
  summary: 'What happened to a static export, as far as it was observed',
  answer: 'The latest events, oldest first.',
})
const remove = apiRoute('DELETE', '/api/static-exports/{exportId}', {
  summary: 'Take an export off the list; the service is not told',
  answer: 'It is no longer listed; `restore` takes this back.',
})
const restore = apiRoute('POST', '/api/static-exports/{exportId}/restore', {
  summary: 'Put a removed export back on the list',
  answer: 'Its last known state.',
})
const dismiss = apiRoute('POST', '/api/static-exports/{exportId}/dismiss', {
  summary: 'Say that an export needs no attention',
  answer: 'The export; its state stays.',
})
const undoDismissal = apiRoute('DELETE', '/api/static-exports/{exportId}/dismiss', {
  summary: 'Undo a dismissal',
  answer: 'The export. It needs attention again unless a later export of the same pages is completed.',
})
const note = apiRoute('PATCH', '/api/static-exports/{exportId}', {
  summary: 'Change the note of an export',
  answer: 'The export.',
})
const attach = apiRoute('POST', '/api/static-exports/{exportId}/attach', {
  summary: 'Give an export whose start was never answered the jobId that a person found',
  answer: 'Its state now.',
})
const check = apiRoute('POST', '/api/static-exports/{exportId}/check', {
  summary: 'Read an export from the Admin API now',
  answer: 'Its state now; `checkFailure` says when the read failed.',
})

const cancel = apiRoute('POST', '/api/static-exports/{exportId}/cancel', {
  summary: 'Cancel a waiting or running export, where the service can; `actions` of the export says why it can’t',
  answer: 'Its state now: `failed`, with the reason `cancelled`.',
})

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
    .poll(list, polled, (c) => ({
      current,
      read: async (scope) => {
        const value = await exports.list(c.req.valid('query'), scope)
        const names = value.items.filter(isChanging).map(({ exportId }) => [exportId])
        return { value, onPoll: () => onView(names) }
      },
    }))
    .poll(checks, polled, (c) => ({
      read: async (scope) => ({ value: await exports.checks(c.req.valid('query'), scope) }),
    }))
    .serve(csv, async (c) => {
      const { now, pieces } = await exports.export(c.req.valid('query'), readScope(c.var.identity))
      return streamFile(c, { what: 'exports', ending: 'csv', now, texts: toCsv(exportColumns, pieces) })
    })
    .poll(filters, polled, (c) => ({
      current,
      read: async (scope) => ({ value: await exports.filters(narrowScope(scope, c.req.valid('query'))) }),
    }))
    .poll(statistics, polled, (c) => ({
      current,
      read: (scope) => exports.statistics(c.req.valid('query'), scope),
    }))
    .serve(start, (c) => exports.start(c.req.valid('json'), c.var.actor, readScope(c.var.identity)))
    .serve(importJob, (c) => exports.import(c.req.valid('json'), c.var.actor, readScope(c.var.identity)))
    .poll(read, polled, (c) => ({
      read: async () => {
        const value = await exports.get(c.req.valid('param').exportId)
        return isChanging(value) ? { value, onPoll: () => onView([[value.exportId]]) } : { value }
      },
    }))
    .poll(history, polled, (c) => exports.history(c.req.valid('param').exportId))
    .serve(remove, (c) => exports.remove(c.req.valid('param').exportId, c.var.actor))
    .serve(restore, (c) => exports.restore(c.req.valid('param').exportId, c.var.actor))
    .serve(dismiss, (c) => exports.dismiss(c.req.valid('param').exportId, c.var.actor))
    .serve(undoDismissal, (c) => exports.undoDismissal(c.req.valid('param').exportId, c.var.actor))
    .serve(note, (c) =>
      exports.note(c.req.valid('param').exportId, { note: c.req.valid('json').note, by: c.var.actor }),
    )
    .serve(attach, (c) =>
      exports.attach(c.req.valid('param').exportId, { jobId: c.req.valid('json').jobId, by: c.var.actor }),
    )
    .serve(check, (c) => exports.check(c.req.valid('param').exportId, c.var.actor))
    .serve(cancel, (c) => exports.cancel(c.req.valid('param').exportId, c.var.actor))
}
