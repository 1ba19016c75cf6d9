import { AgentJobKey } from '@docket/api-types/agent-jobs'
import { ApiErrorBody } from '@docket/api-types/api-error'
import type { Route } from '@docket/api-types/route'
import { routes, type PathParam, otherRoutes } from '@docket/api-types/routes'
import { createRoute, OpenAPIHono, z, type RouteConfig } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { AppError, refusedFieldError } from '#ground/errors/app-error.ts'
import { readScope, type TokenScope } from '#ground/http/access/token-scope.ts'
import type { AppEnv } from '#ground/http/app-env.ts'
import type { Actor, Sender } from '#ground/identity/identity.ts'
import type { ConditionalGet, Polled } from '#ground/http/conditional-get/conditional-get.ts'

type Routes = typeof routes
type RouteKey = keyof Routes
type Parsed<R, Part extends string> = R extends Record<Part, infer T extends z.ZodType> ? z.output<T> : undefined
type Params<K extends RouteKey> = Record<PathParam<K>, string>

/** A request as its route describes it: the names in the path, also together as `params`, the query and the body, and who sent it. */
export type ApiRequest<K extends RouteKey> = Params<K> & {
  params: Params<K>
  query: Parsed<Routes[K], 'query'>
  body: Parsed<Routes[K], 'body'>
  by: Actor
  sender: Sender
  scope: TokenScope
  /** The connection of the record in the path, if `guardRecordsWithinScope` found it. */
  located: { connection?: string }
}
type RouteContext<K extends RouteKey> = Context<
  AppEnv,
  string,
  { out: { param: Params<K>; query: Parsed<Routes[K], 'query'> } }
>
type ResponseSchema<K extends RouteKey> =
  Routes[K] extends Record<'response', infer S extends z.ZodType> ? S : z.ZodType<void, void>
type Responses = RouteConfig['responses']

/** Router of one domain. It serves routes of the contract only. */
type ApiRoutes = OpenAPIHono<AppEnv> & {
  /** Responds with the value that `handle` returns, parsed by the route's schema, so that undeclared fields are never sent. */
  serve: <const K extends RouteKey>(
    route: K,
    handle: (
      request: ApiRequest<K>,
      c: RouteContext<K>,
    ) => z.input<ResponseSchema<K>> | Response | Promise<z.input<ResponseSchema<K>> | Response>,
  ) => ApiRoutes
  poll: <const K extends PolledKey>(
    route: K,
    polled: ConditionalGet,
    source: (request: ApiRequest<K>, c: RouteContext<K>) => Omit<Polled<ResponseSchema<K>>, 'schema'>,
  ) => ApiRoutes
}
type PolledKey = {
  [K in RouteKey]: K extends `GET ${string}` ? (Routes[K] extends { response: object } ? K : never) : never
}[RouteKey]

const describeJson = (description: string, schema: z.ZodType) => ({
  description,
  content: { 'application/json': { schema } },
})

export const failure = { default: describeJson('Any failure.', ApiErrorBody) }

const readParams = (path: string) => {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
  const known: Record<string, z.ZodType> = {
    ...AgentJobKey.shape,
    number: z.string().regex(/^[1-9]\d{0,8}$/, 'This is not a number.'),
    fingerprint: z.string().regex(/^[0-9a-f]{32}$/, 'This is not the fingerprint of a finding.'),
    hash: z.string().regex(/^[0-9a-f]{40}$/, 'This is not the hash of a commit.'),
  }
  return names.length === 0
    ? {}
    : { params: z.object(Object.fromEntries(names.map((name) => [name, known[name] ?? z.uuid()]))) }
}

const toContent = (types: Readonly<Record<string, z.ZodType>>) =>
  Object.fromEntries(Object.entries(types).map(([type, schema]) => [type, { schema }]))

const describeResponses = ({ response, files, also = {}, answer, status = 200 }: Route): Responses => {
  const types = files ?? (response && { 'application/json': response })
  const content = types && { content: toContent(types) }
  const hasBody = (code: string) => code === '202' || code === '206'
  return {
    [types ? status : 204]: { description: answer, ...content },
    ...Object.fromEntries(
      Object.entries(also).map(([code, description]) => [code, { description, ...(hasBody(code) && content) }]),
    ),
    ...failure,
  }
}

const binary = z.string().meta({ format: 'binary' })

/** Summary of a route, and who may use it, for `/api/openapi.json`. */
export const describeRoute = ({ summary, access: { role, tokens }, audit }: Route) => ({
  summary,
  security: role === 'anyone' ? [] : [{ session: [] }, ...(tokens === 'none' ? [] : [{ token: [] }])],
  ...(role !== 'anyone' && { 'x-docket-role': role }),
  ...(audit !== undefined && { 'x-docket-audit': [audit].flat() }),
})

const toRouteConfig = (key: string, route: Route): RouteConfig => {
  const [method = '', path = ''] = key.split(' ')
  const { query, body, uploads } = route
  const accepted = uploads === undefined ? body && { 'application/json': body } : { [uploads]: binary }
  return createRoute({
    method: method.toLowerCase() as Lowercase<'GET'>,
    path,
    ...describeRoute(route),
    request: {
      ...readParams(path),
      ...(query && { query: query as z.ZodObject }),
      ...(accepted && { body: { required: true, content: toContent(accepted) } }),
    },
    responses: describeResponses(route),
  })
}

const simplify = (name: string) => name.toLowerCase().replaceAll(/[^a-z]/g, '')

/**
 * Refuses a program's misspelt filter, such as `project` for `projectId`, which would list everything. Other unknown names are ignored, and
 * pages aren't checked: one of a later build may send more than this server knows.
 */
const refuseMisspelt = (c: Context<AppEnv>, { query }: Route) => {
  if (c.var.identity?.kind !== 'token') return
  const known = Object.keys((query as z.ZodObject | undefined)?.shape ?? {})
  for (const name of Object.keys(c.req.query())) {
    const text = simplify(name)
    if (known.includes(name) || text.length < 3 || name.length > 40) continue
    const meant = known.find(
      (one) => simplify(one).startsWith(text) || (one.length > 2 && text.startsWith(simplify(one))),
    )
    if (meant === undefined) continue
    throw refusedFieldError(name, `${name}: There is no such parameter. Use ${meant}.`)
  }
}

const readRequest = (c: Context<AppEnv, string, { out: { param: object; query: unknown; json: unknown } }>) => ({
  ...c.req.valid('param'),
  params: c.req.valid('param'),
  query: c.req.valid('query'),
  body: c.req.valid('json'),
  by: c.var.actor,
  sender: { identity: c.var.identity, actor: c.var.actor, host: c.req.header('host') ?? '' },
  scope: readScope(c.var.identity),
  located: c.var.connectionId === undefined ? {} : { connection: c.var.connectionId },
})

/** Creates a router. A request that does not fit its schema fails with `invalid_request` and the path of the first field at fault. */
export const apiRoutes = (): ApiRoutes => {
  const router = new OpenAPIHono<AppEnv>({
    defaultHook: (result) => {
      if (result.success) return
      const issue = result.error.issues[0]
      const field = issue?.path.map(String).join('.') ?? ''
      const message = issue === undefined ? 'Docket couldn’t read the request.' : issue.message
      throw new AppError(
        'invalid_request',
        field === '' ? message : `${field}: ${message}`,
        field === '' ? {} : { field },
      )
    },
  })
  const add = (key: RouteKey, route: Route, handle: (request: never, c: never) => unknown) => {
    const { response, status = 200 } = route
    router.openapi(toRouteConfig(key, route), async (c) => {
      refuseMisspelt(c, route)
      const value = await handle(readRequest(c) as never, c as never)
      if (value instanceof Response) return value
      return response === undefined ? c.body(null, 204) : c.json(response.parse(value) as object, status)
    })
    return serving
  }
  const serving: ApiRoutes = Object.assign(router, {
    serve: ((key, handle) => add(key, routes[key], handle)) satisfies ApiRoutes['serve'],
    poll: ((key, polled, source) => {
      const route = { ...routes[key], also: { 304: 'Unchanged since the `ETag` the reader sent.' } }
      return add(key, route, (request, c) => polled.send(c, { ...source(request, c), schema: route.response as never }))
    }) satisfies ApiRoutes['poll'],
  })
  return serving
}

const Operation = z.looseObject({ summary: z.string().optional() })
const OpenApiDocument = z.looseObject({
  openapi: z.string(),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
})

const readDocument = createRoute({
  method: 'get',
  path: '/api/openapi.json',
  ...describeRoute(otherRoutes['GET /api/openapi.json']),
  responses: {
    200: { description: 'OpenAPI 3.1.', content: { 'application/json': { schema: OpenApiDocument } } },
    ...failure,
  },
})

const securitySchemes = {
  session: { type: 'apiKey', in: 'cookie', name: '__Host-docket', description: 'The session of a person.' },
  token: { type: 'http', scheme: 'bearer', description: 'An API token.' },
} as const

/** Serves `/api/openapi.json`. Call it after all routes are declared. */
export const describeApi = (app: OpenAPIHono<AppEnv>, version: string) => {
  let document: z.input<typeof OpenApiDocument> | undefined
  const info = { title: 'Docket', version, license: { name: 'MIT' } }
  for (const [name, scheme] of Object.entries(securitySchemes))
    app.openAPIRegistry.registerComponent('securitySchemes', name, scheme)
  app.openapi(readDocument, (c) => {
    document ??= OpenApiDocument.parse(app.getOpenAPI31Document({ openapi: '3.1.0', info }))
    return c.json(document, 200)
  })
}
