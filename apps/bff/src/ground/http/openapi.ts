import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi'
import { access } from '#ground/http/access/access.ts'
import { failure } from '#ground/http/api-routes.ts'
import type { AppEnv } from '#ground/http/app-env.ts'

const Operation = z.looseObject({ summary: z.string().optional() })
const OpenApiDocument = z.looseObject({
  openapi: z.string(),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
})

const read = createRoute({
  method: 'get',
  path: '/api/openapi.json',
  summary: 'This description, generated from the routes themselves',
  responses: {
    200: { description: 'OpenAPI 3.1.', content: { 'application/json': { schema: OpenApiDocument } } },
    ...failure,
  },
})

const securitySchemes = {
  session: { type: 'apiKey', in: 'cookie', name: '__Host-docket', description: 'The session of a person.' },
  token: { type: 'http', scheme: 'bearer', description: 'An API token.' },
} as const

/** Describes the access to an operation, from `access`. */
const toSecurity = (route: string) => {
  const rule = access[route]
  if (rule === undefined || rule.role === 'anyone') return { security: [] }
  const ways = rule.tokens === 'none' ? [{ session: [] }] : [{ session: [] }, { token: [] }]
  return { security: ways, 'x-docket-role': rule.role }
}

const withSecurity = ({ paths, ...document }: z.output<typeof OpenApiDocument>) => ({
  ...document,
  paths: Object.fromEntries(
    Object.entries(paths).map(([path, operations]) => {
      const pattern = path.replaceAll(/\{([^}]+)\}/g, ':$1')
      const secured = Object.entries(operations).map(([method, operation]) => [
        method,
        { ...operation, ...toSecurity(`${method.toUpperCase()} ${pattern}`) },
      ])
      return [path, Object.fromEntries(secured) as typeof operations]
    }),
  ),
})

/** Serves `/api/openapi.json`. Call it after all routes are declared. */
export const describeApi = (app: OpenAPIHono<AppEnv>, version: string) => {
  let document: z.input<typeof OpenApiDocument> | undefined
  const info = { title: 'Docket', version, license: { name: 'MIT' } }
  for (const [name, scheme] of Object.entries(securitySchemes))
    app.openAPIRegistry.registerComponent('securitySchemes', name, scheme)
  app.openapi(read, (c) => {
    document ??= withSecurity(OpenApiDocument.parse(app.getOpenAPI31Document({ openapi: '3.1.0', info })))
    return c.json(document, 200)
  })
}
