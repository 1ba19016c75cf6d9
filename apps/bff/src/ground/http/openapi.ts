import { otherRoutes } from '@docket/api-types/routes'
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi'
import { describeRoute, failure } from '#ground/http/api-routes.ts'
import type { AppEnv } from '#ground/http/app-env.ts'

const Operation = z.looseObject({ summary: z.string().optional() })
const OpenApiDocument = z.looseObject({
  openapi: z.string(),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
})

const read = createRoute({
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
  app.openapi(read, (c) => {
    document ??= OpenApiDocument.parse(app.getOpenAPI31Document({ openapi: '3.1.0', info }))
    return c.json(document, 200)
  })
}
