import { ConnectionReport } from '@docket/api-types/connection'
import { createRoute } from '@hono/zod-openapi'
import type { ConnectionService } from '#connection/connection.service.ts'
import { answers, apiRoutes } from '#http/api-routes.ts'
import { send } from '#http/send.ts'

const read = createRoute({
  method: 'get',
  path: '/',
  summary: 'Budget, health and next calls of the connection to the Admin API',
  responses: answers(ConnectionReport, 'Everything Docket knows about its talk with the Admin API.'),
})

/** `/api/connection`: what Settings › Connection shows. */
export const connectionRoutes = (connection: ConnectionService) =>
  apiRoutes().openapi(read, async (c) => send(c, ConnectionReport, await connection.read()))
