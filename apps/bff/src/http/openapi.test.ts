import { routes } from '@docket/api-types/routes'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { testApp } from '#testing/test-app.ts'

const app = await testApp()
afterAll(app.close)

const Document = z.object({ openapi: z.string(), paths: z.record(z.string(), z.record(z.string(), z.unknown())) })

test('the description holds every route under /api, and nothing that is not routed', async () => {
  const response = await app.get('/api/openapi.json')
  const { paths } = Document.parse(await response.json())
  const described = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const routed = app.app.routes
    .filter(({ method, path }) => method !== 'ALL' && path.startsWith('/api'))
    .map(({ method, path }) => `${method} ${path.replaceAll(/:([^/]+)/g, '{$1}')}`)
  expect(new Set(described)).toEqual(new Set(routed))
  expect(described).toContain('POST /api/agent-jobs')
})

test('the description says who may use an operation, and how one signs in', async () => {
  const { paths } = Document.parse(await (await app.get('/api/openapi.json')).json())
  const both = [{ session: [] }, { token: [] }]
  expect(paths['/api/static-exports']?.['post']).toMatchObject({ security: both, 'x-docket-role': 'operator' })
  expect(paths['/api/users']?.['get']).toMatchObject({ security: [{ session: [] }], 'x-docket-role': 'admin' })
  expect(paths['/api/session']?.['get']).toMatchObject({ security: [] })
})

/** Called by programs and by the identity provider only. */
const notForTheWebApp = ['GET /api/openapi.json', 'GET /api/auth/oidc/callback']
const parts = ['query', 'body', 'response'] as const
type Schemas = Partial<Record<(typeof parts)[number], unknown>>

const Json = z.object({ content: z.object({ 'application/json': z.object({ schema: z.unknown() }) }) })
const jsonSchema = (message: unknown) => Json.safeParse(message).data?.content['application/json'].schema

const declaredRoutes = (): Map<string, Schemas> => {
  const { definitions } = app.app.openAPIRegistry
  const declared = definitions.flatMap((definition): [string, Schemas][] => {
    if (definition.type !== 'route') return []
    const { method, path, request, responses } = definition.route
    const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
    const schemas = { query: request?.query, body: jsonSchema(request?.body), response: jsonSchema(success) }
    return [[`${method.toUpperCase()} ${path}`, schemas]]
  })
  return new Map(declared.filter(([route]) => !notForTheWebApp.includes(route)))
}

const contractRoutes = (): Map<string, Schemas> =>
  new Map(
    Object.entries(routes).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, schemas]): [string, Schemas] => [`${method} ${path}`, schemas]),
    ),
  )

test('the server declares exactly the routes of the contract, with the very same schemas', () => {
  const [declared, contract] = [declaredRoutes(), contractRoutes()]
  expect([...declared.keys()].toSorted()).toEqual([...contract.keys()].toSorted())
  const differences = [...contract].flatMap(([route, schemas]) =>
    parts.filter((part) => declared.get(route)?.[part] !== schemas[part]).map((part) => `${route}: ${part}`),
  )
  expect(differences).toEqual([])
})
