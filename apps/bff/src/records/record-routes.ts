import type { AgentJob } from '@docket/api-types/agent-jobs'
import type { History } from '@docket/api-types/history'
import type { StaticExport } from '@docket/api-types/static-exports'
import { narrowScope, type TokenScope } from '#ground/http/access/token-scope.ts'
import { apiRoutes, type ApiRequest } from '#ground/http/api-routes.ts'
import { shareReads } from '#ground/http/conditional-get/coalesce.ts'
import type { ConditionalGet, Polled, Revision } from '#ground/http/conditional-get/conditional-get.ts'
import { type CsvColumns, streamFile, toCsv } from '#ground/http/csv.ts'
import type { Ctx } from '#ground/ctx.ts'
import { readListTag } from '#ground/db/revision.ts'
import type { Treatment } from './change-record.ts'
import type { RecordKind } from '#service/polling/read-interval.ts'
import type { Actor } from '#ground/identity/identity.ts'
import type { RecordName } from '#service/polling/viewers.ts'

/** What a request says about which record it means. */
export type RecordRequest<Name extends string> = Pick<
  ApiRequest<'GET /api/agent-jobs/{projectId}/{id}'>,
  'query' | 'located'
> & {
  params: Record<Name, string>
}

type Act<C, Key, One> = (ctx: C, key: Key, by: Actor) => Promise<One>

/** These are methods, because each takes the query of its own list. */
type RecordVerbs<C, Key, One> = {
  list(ctx: C, query: object, scope: TokenScope): Promise<{ value: { items: One[] }; until?: number | null }>
  listAll(ctx: C, query: object, scope: TokenScope): Promise<AsyncIterable<readonly One[]>>
  listChecks(ctx: C, query: object, scope: TokenScope): Promise<object>
  listFilters(ctx: C, scope: TokenScope): Promise<object>
  get: (ctx: C, key: Key) => Promise<One>
  history: (ctx: C, key: Key) => Omit<Polled<typeof History>, 'schema'>
  remove: Act<C, Key, void>
  restore: Act<C, Key, One>
  dismiss: Act<C, Key, One>
  undoDismissal: Act<C, Key, One>
  note: (ctx: C, key: Key, note: { note: string; by: Actor }) => Promise<One>
  check: Act<C, Key, One>
  cancel: Act<C, Key, One>
  treat: (ctx: C, key: Key, treatment: Treatment) => Promise<One>
}

/** Reads one row. */
export const createRevisionReader = ({ db, now }: Pick<Ctx, 'db' | 'now'>, name: RecordKind) =>
  shareReads(async (): Promise<Revision> => ({ tag: await readListTag(db, name), now: now() }))

/** Calls `onView` with the changing records of each poll. */
export const recordRoutes = <C extends Ctx, Key, One extends StaticExport | AgentJob>(
  ctx: C,
  kind: {
    name: RecordKind
    list: '/api/static-exports' | '/api/agent-jobs'
    one: '/api/static-exports/{exportId}' | '/api/agent-jobs/{projectId}/{id}'
    verbs: RecordVerbs<C, Key, One>
    toKey: (request: RecordRequest<'exportId' | 'projectId' | 'id'>) => Key
    show?: (scope: TokenScope, record: One) => One
    isChanging: (record: One) => boolean
    toName: (record: One) => RecordName
    file: { what: string; columns: CsvColumns<One> }
  },
  polled: ConditionalGet,
  onView: (names: readonly RecordName[]) => void,
) => {
  const { list, one, verbs, toKey, show = (_, record) => record, isChanging, toName, file } = kind
  const current = createRevisionReader(ctx, kind.name)
  const act =
    (verb: Act<C, Key, One>) => async (request: Pick<ApiRequest<'GET /api/static-exports'>, 'by' | 'scope'>) =>
      show(request.scope, await verb(ctx, toKey(request as never), request.by))
  return apiRoutes()
    .poll(`GET ${list}`, polled, ({ query }) => ({
      current,
      read: async (scope) => {
        const { value, until = null } = await verbs.list(ctx, query, scope)
        const items = value.items.map((record) => show(scope, record))
        const names = items.filter(isChanging).map(toName)
        return { value: { ...value, items } as never, until, onPoll: () => onView(names) }
      },
    }))
    .poll(`GET ${list}/checks`, polled, ({ query }) => ({
      read: async (scope) => ({ value: (await verbs.listChecks(ctx, query, scope)) as never }),
    }))
    .serve(`GET ${list}/export.csv`, async ({ query, scope }, c) => {
      const pieces = await verbs.listAll(ctx, query, scope)
      return streamFile(c, { what: file.what, ending: 'csv', now: ctx.now(), texts: toCsv(file.columns, pieces) })
    })
    .poll(`GET ${list}/filters`, polled, ({ query }) => ({
      current,
      read: async (scope) => ({ value: (await verbs.listFilters(ctx, narrowScope(scope, query))) as never }),
    }))
    .poll(`GET ${one}`, polled, (request) => ({
      read: async (scope) => {
        const value = show(scope, await verbs.get(ctx, toKey(request as never)))
        return isChanging(value) ? { value, onPoll: () => onView([toName(value)]) } : { value }
      },
    }))
    .poll(`GET ${one}/history`, polled, (request) => verbs.history(ctx, toKey(request as never)))
    .serve(`DELETE ${one}`, (request) => verbs.remove(ctx, toKey(request as never), request.by))
    .serve(`POST ${one}/restore`, act(verbs.restore))
    .serve(`POST ${one}/dismiss`, act(verbs.dismiss))
    .serve(`DELETE ${one}/dismiss`, act(verbs.undoDismissal))
    .serve(`PATCH ${one}`, (request) => act((_, key, by) => verbs.note(ctx, key, { ...request.body, by }))(request))
    .serve(`POST ${one}/check`, act(verbs.check))
    .serve(`POST ${one}/cancel`, act(verbs.cancel))
    .serve(`POST ${one}/treat-as`, (request) =>
      act((_, key, by) => verbs.treat(ctx, key, { ...request.body, by }))(request),
    )
}
