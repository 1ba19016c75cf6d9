import { AgentJobKey } from '@docket/api-types/agent-jobs'
import { ApiErrorBody } from '@docket/api-types/api-error'
import { routes, type Method, type PathParam, type RoutePath, type Route } from '@docket/api-types/routes'
import { createRoute, OpenAPIHono, z, type RouteConfig } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { AppError } from '#ground/errors/app-error.ts'
import type { AppEnv } from '#ground/http/app-env.ts'
import type { ConditionalGet, Polled } from '#ground/http/conditional-get/conditional-get.ts'

type Schemas<M extends Method, P> = P extends keyof typeof routes
  ? (typeof routes)[P] extends Record<M, infer S>
    ? S
    : never
  : never
type Validated<S, Part extends string, Target extends string> =
  S extends Record<Part, infer T extends z.ZodType> ? Record<Target, z.output<T>> : unknown

/** Context of a request that fits the schemas of its route. */
type RouteContext<M extends Method, P> = Context<
  AppEnv,
  string,
  {
    out: Record<'param', Record<PathParam<P>, string>> &
      Validated<Schemas<M, P>, 'query', 'query'> &
      Validated<Schemas<M, P>, 'body', 'json'>
  }
>
type Responses = RouteConfig['responses']
type ResponseSchema<M extends Method, P> =
  Schemas<M, P> extends { response: infer S extends z.ZodType } ? S : z.ZodType<void, void>

/** A route of the contract, described for `/api/openapi.json`. */
type ApiRoute<M extends Method, P> = {
  config: RouteConfig
  schema: ResponseSchema<M, P> | undefined
  status: 200 | 201
}

/** Router of one domain. */
type ApiRoutes = OpenAPIHono<AppEnv> & {
  /** Answers with the value that `handle` returns, parsed by the route's schema, so that an undeclared field never leaves the server. */
  serve: <M extends Method, P>(
    route: ApiRoute<M, P>,
    handle: (
      c: RouteContext<M, P>,
    ) => z.input<ResponseSchema<M, P>> | Response | Promise<z.input<ResponseSchema<M, P>> | Response>,
  ) => ApiRoutes
  /** Answers through `polled`: 304 when the reader's copy is current. */
  poll: <P>(
    route: ApiRoute<'GET', P>,
    polled: ConditionalGet,
    source: (c: RouteContext<'GET', P>) => Omit<Polled<ResponseSchema<'GET', P>>, 'schema'>,
  ) => ApiRoutes
}

const json = (description: string, schema: z.ZodType) => ({ description, content: { 'application/json': { schema } } })

/** Response to a request that failed, in the `responses` of every route. */
export const failure = { default: json('Any failure.', ApiErrorBody) }

const params = (path: string) => {
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

/**
 * Declares a route of the contract with the contract's schemas. `answer` describes the success response; `responses` replaces it where the
 * route answers with something else than JSON.
 */
export const apiRoute = <const M extends Method, const P extends RoutePath<Record<M, object>>>(
  method: M,
  path: P,
  {
    summary,
    status = 200,
    ...rest
  }: { summary: string; status?: 200 | 201 } & ({ answer: string } | { responses: Responses }),
): ApiRoute<M, P> => {
  const { query, body, response } = (routes[path] as Partial<Record<Method, Route>>)[method] ?? {}
  const answer = (description: string): Responses =>
    response === undefined ? { 204: { description } } : { [status]: json(description, response) }
  const config = createRoute({
    method: method.toLowerCase() as Lowercase<M>,
    path,
    summary,
    request: {
      ...params(path),
      ...(query && { query: query as z.ZodObject }),
      ...(body && { body: { required: true, content: { 'application/json': { schema: body } } } }),
    },
    responses: 'responses' in rest ? rest.responses : { ...answer(rest.answer), ...failure },
  })
  return { config, schema: response as ResponseSchema<M, P> | undefined, status }
}

/** Declares a GET route that `poll` serves. */
export const polledRoute = <const P extends RoutePath<{ GET: { response: z.ZodType } }>>(
  path: P,
  { summary, answer }: { summary: string; answer: string },
) => {
  const route = apiRoute<'GET', P>('GET', path, { summary, answer })
  route.config.responses[304] = { description: 'Unchanged since the `ETag` the reader sent.' }
  return route
}

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
  const serving: ApiRoutes = Object.assign(router, {
    serve: (({ config, schema, status }, handle) => {
      router.openapi(config, async (c) => {
        const value = await handle(c as never)
        if (value instanceof Response) return value
        return schema === undefined ? c.body(null, 204) : c.json(schema.parse(value) as object, status)
      })
      return serving
    }) satisfies ApiRoutes['serve'],
    poll: ((route, polled, source) =>
      serving.serve(route, (c) =>
        polled.send(c as never, { ...source(c), schema: route.schema! }),
      )) satisfies ApiRoutes['poll'],
  })
  return serving
}
