import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi'
import { answers } from '#http/api-routes.ts'
import type { AppEnv } from '#http/app-env.ts'
import { send } from '#http/send.ts'

const OpenApiDocument = z.looseObject({ openapi: z.string(), paths: z.record(z.string(), z.unknown()) })

const read = createRoute({
  method: 'get',
  path: '/api/openapi.json',
  summary: 'This description, generated from the routes themselves',
  responses: answers(OpenApiDocument, 'OpenAPI 3.1.'),
})

/** Serves `/api/openapi.json` for every route that is declared on the app, this one included. Call it after all others. */
export const describeApi = (app: OpenAPIHono<AppEnv>, version: string) => {
  let document: z.input<typeof OpenApiDocument> | undefined
  app.openapi(read, (c) => {
    document ??= OpenApiDocument.parse(
      app.getOpenAPI31Document({ openapi: '3.1.0', info: { title: 'Docket', version, license: { name: 'MIT' } } }),
    )
    return send(c, OpenApiDocument, document)
  })
}
