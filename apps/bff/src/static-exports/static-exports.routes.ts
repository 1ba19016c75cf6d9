import {
  AttachJobId,
  ImportStaticExport,
  StartedStaticExport,
  StartStaticExport,
  StaticExport,
  StaticExportFilters,
  StaticExportChecks,
  StaticExportList,
  StaticExportListQuery,
} from '@docket/api-types/static-exports'
import { History } from '@docket/api-types/history'
import { createRoute, z } from '@hono/zod-openapi'
import { answers, answersNothing, apiRoutes, conditionalAnswers, jsonBody } from '#http/api-routes.ts'
import type { ConditionalGet } from '#http/conditional-get/conditional-get.ts'
import { coalesce } from '#http/conditional-get/coalesce.ts'
import { reachOf } from '#http/access/reach.ts'
import { send, sendNothing } from '#http/send.ts'
import type { RecordName } from '#polling/viewers.ts'
import type { StaticExportService } from './static-exports.service.ts'

const params = z.object({ exportId: z.uuid() })
const ofOneExport = { path: '/{exportId}', request: { params } } as const

const list = createRoute({
  method: 'get',
  path: '/',
  summary: 'Static exports, filtered and sorted, in pages',
  request: { query: StaticExportListQuery },
  responses: conditionalAnswers(StaticExportList, 'A page of exports.'),
})
const checks = createRoute({
  method: 'get',
  path: '/checks',
  summary: 'When the exports on a page of the list were and will be checked; the query is that of the page',
  request: { query: StaticExportListQuery },
  responses: conditionalAnswers(StaticExportChecks, 'The checks, in the order of the page.'),
})
const filters = createRoute({
  method: 'get',
  path: '/filters',
  summary: 'What the list of exports can be filtered by',
  responses: conditionalAnswers(StaticExportFilters, 'Values to suggest.'),
})
const start = createRoute({
  method: 'post',
  path: '/',
  summary: 'Start a static export; the same requestId never starts a second one',
  request: jsonBody(StartStaticExport),
  responses: answers(
    StartedStaticExport,
    'The record of the start, also when the service refused it (`refused`) or did not answer (`unknown`).',
    201,
  ),
})
const importJob = createRoute({
  method: 'post',
  path: '/import',
  summary: 'Track an export that was started elsewhere; it is read from the Admin API first',
  request: jsonBody(ImportStaticExport),
  responses: answers(StartedStaticExport, 'The export.', 201),
})
const read = createRoute({
  method: 'get',
  ...ofOneExport,
  summary: 'One static export',
  responses: conditionalAnswers(StaticExport, 'Its last known state.'),
})
const history = createRoute({
  method: 'get',
  path: `${ofOneExport.path}/history`,
  request: ofOneExport.request,
  summary: 'What happened to a static export, as far as it was observed',
  responses: conditionalAnswers(History, 'The latest events, oldest first.'),
})
const remove = createRoute({
  method: 'delete',
  ...ofOneExport,
  summary: 'Take an export off the list; the service is not told',
  responses: answersNothing('It is no longer listed; `restore` takes this back.'),
})
const restore = createRoute({
  method: 'post',
  path: `${ofOneExport.path}/restore`,
  request: ofOneExport.request,
  summary: 'Put a removed export back on the list',
  responses: answers(StaticExport, 'Its last known state.'),
})
const attach = createRoute({
  method: 'post',
  path: `${ofOneExport.path}/attach`,
  request: { params, ...jsonBody(AttachJobId) },
  summary: 'Give an export whose start was never answered the jobId that a person found',
  responses: answers(StaticExport, 'Its state now.'),
})
const check = createRoute({
  method: 'post',
  path: `${ofOneExport.path}/check`,
  request: ofOneExport.request,
  summary: 'Read an export from the Admin API now',
  responses: answers(StaticExport, 'Its state now; `checkFailure` says when the read failed.'),
})

const isChanging = ({ state, goneAt }: Pick<StaticExport, 'state' | 'goneAt'>) =>
  state === 'accepted' && goneAt === null

/** `/api/static-exports`: start static exports and read their last known state. `onView` hears which changing ones a reader polls. */
export const staticExportRoutes = (
  exports: StaticExportService,
  polled: ConditionalGet,
  onView: (names: readonly RecordName[]) => void,
) => {
  const current = coalesce(exports.current)
  return apiRoutes()
    .openapi(list, (c) =>
      polled.send(c, {
        current,
        schema: StaticExportList,
        make: async (reach) => {
          const { list: value, until } = await exports.list(c.req.valid('query'), reach)
          const names = value.items.filter(isChanging).map(({ exportId }) => [exportId])
          return { value, until, onPoll: () => onView(names) }
        },
      }),
    )
    .openapi(checks, (c) =>
      polled.send(c, {
        schema: StaticExportChecks,
        make: async (reach) => ({ value: await exports.checks(c.req.valid('query'), reach) }),
      }),
    )
    .openapi(filters, (c) =>
      polled.send(c, {
        current,
        schema: StaticExportFilters,
        make: async (reach) => ({ value: await exports.filters(reach) }),
      }),
    )
    .openapi(start, async (c) =>
      send(c, StartedStaticExport, await exports.start(c.req.valid('json'), c.var.actor, reachOf(c.var.identity)), 201),
    )
    .openapi(importJob, async (c) =>
      send(c, StartedStaticExport, await exports.import(c.req.valid('json'), c.var.actor), 201),
    )
    .openapi(read, (c) =>
      polled.send(c, {
        schema: StaticExport,
        make: async () => {
          const value = await exports.get(c.req.valid('param').exportId)
          return isChanging(value) ? { value, onPoll: () => onView([[value.exportId]]) } : { value }
        },
      }),
    )
    .openapi(history, (c) => {
      const { current: named, read: make } = exports.history(c.req.valid('param').exportId)
      return polled.send(c, { current: named, schema: History, make })
    })
    .openapi(remove, async (c) => {
      await exports.remove(c.req.valid('param').exportId, c.var.actor)
      return sendNothing(c)
    })
    .openapi(restore, async (c) =>
      send(c, StaticExport, await exports.restore(c.req.valid('param').exportId, c.var.actor)),
    )
    .openapi(attach, async (c) => {
      const { exportId } = c.req.valid('param')
      return send(
        c,
        StaticExport,
        await exports.attach(exportId, { jobId: c.req.valid('json').jobId, by: c.var.actor }),
      )
    })
    .openapi(check, async (c) => send(c, StaticExport, await exports.check(c.req.valid('param').exportId, c.var.actor)))
}
