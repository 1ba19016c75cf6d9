import type { AgentJob } from '@docket/api-types/agent-jobs'
import type { History } from '@docket/api-types/history'
import type { StaticExport } from '@docket/api-types/static-exports'
import type { Context } from 'hono'
import { narrowScope, readScope, type TokenScope } from '#ground/http/access/token-scope.ts'
import { apiRoutes } from '#ground/http/api-routes.ts'
import type { AppEnv } from '#ground/http/app-env.ts'
import { coalesce } from '#ground/http/conditional-get/coalesce.ts'
import type { ConditionalGet, Polled, Revision } from '#ground/http/conditional-get/conditional-get.ts'
import { type CsvColumns, streamFile, toCsv } from '#ground/http/csv.ts'
import type { Actor } from '#ground/identity/actor.ts'
import type { RecordName } from '#service/polling/viewers.ts'

/** Parts of a request that name a record. */
type RecordContext = Context<
  AppEnv,
  string,
  { out: { param: Record<'exportId' | 'projectId' | 'id', string>; query: { connection?: string | undefined } } }
>

type Act<Key, One> = (key: Key, by: Actor) => Promise<One>

/** What the routes of exports and of jobs ask of their service. Methods, because each takes the query of its own list. */
type RecordService<Key, One> = {
  current: () => Promise<Revision>
  list(query: object, scope: TokenScope): Promise<{ value: { items: One[] }; until?: number | null }>
  checks(query: object, scope: TokenScope): Promise<object>
  filters(scope: TokenScope): Promise<object>
  export(query: object, scope: TokenScope): Promise<{ now: number; pieces: AsyncIterable<readonly One[]> }>
  get: (key: Key) => Promise<One>
  history: (key: Key) => Omit<Polled<typeof History>, 'schema'>
  remove: Act<Key, void>
  restore: Act<Key, One>
  dismiss: Act<Key, One>
  undoDismissal: Act<Key, One>
  note: (key: Key, note: { note: string; by: Actor }) => Promise<One>
  check: Act<Key, One>
  cancel: Act<Key, One>
}

/** The routes that exports and agent jobs both have. Calls `onView` with the changing records of each poll. */
export const recordRoutes = <Key, One extends StaticExport | AgentJob>(
  kind: {
    list: '/api/static-exports' | '/api/agent-jobs'
    one: '/api/static-exports/{exportId}' | '/api/agent-jobs/{projectId}/{id}'
    service: RecordService<Key, One>
    readKey: (c: RecordContext) => Key
    /** The record as a sender with this scope sees it. */
    show?: (scope: TokenScope, record: One) => One
    isChanging: (record: One) => boolean
    toName: (record: One) => RecordName
    file: { what: string; columns: CsvColumns<One> }
  },
  polled: ConditionalGet,
  onView: (names: readonly RecordName[]) => void,
) => {
  const { list, one, service, readKey, show = (_, record) => record, isChanging, toName, file } = kind
  const current = coalesce(service.current)
  const act = (verb: Act<Key, One>) => async (c: Context<AppEnv>) =>
    show(readScope(c.var.identity), await verb(readKey(c as never), c.var.actor))
  return apiRoutes()
    .poll(`GET ${list}`, polled, (c) => ({
      current,
      read: async (scope) => {
        const { value, until = null } = await service.list(c.req.valid('query'), scope)
        const items = value.items.map((record) => show(scope, record))
        const names = items.filter(isChanging).map(toName)
        return { value: { ...value, items } as never, until, onPoll: () => onView(names) }
      },
    }))
    .poll(`GET ${list}/checks`, polled, (c) => ({
      read: async (scope) => ({ value: (await service.checks(c.req.valid('query'), scope)) as never }),
    }))
    .serve(`GET ${list}/export.csv`, async (c) => {
      const { now, pieces } = await service.export(c.req.valid('query'), readScope(c.var.identity))
      return streamFile(c, { what: file.what, ending: 'csv', now, texts: toCsv(file.columns, pieces) })
    })
    .poll(`GET ${list}/filters`, polled, (c) => ({
      current,
      read: async (scope) => ({
        value: (await service.filters(narrowScope(scope, c.req.valid('query')))) as never,
      }),
    }))
    .poll(`GET ${one}`, polled, (c) => ({
      read: async (scope) => {
        const value = show(scope, await service.get(readKey(c as never)))
        return isChanging(value) ? { value, onPoll: () => onView([toName(value)]) } : { value }
      },
    }))
    .poll(`GET ${one}/history`, polled, (c) => service.history(readKey(c as never)))
    .serve(`DELETE ${one}`, (c) => service.remove(readKey(c as never), c.var.actor))
    .serve(`POST ${one}/restore`, act(service.restore))
    .serve(`POST ${one}/dismiss`, act(service.dismiss))
    .serve(`DELETE ${one}/dismiss`, act(service.undoDismissal))
    .serve(`PATCH ${one}`, (c) => {
      const { note } = c.req.valid('json')
      return act((key, by) => service.note(key, { note, by }))(c)
    })
    .serve(`POST ${one}/check`, act(service.check))
    .serve(`POST ${one}/cancel`, act(service.cancel))
}
