import { Status } from '@docket/api-types/status'
import { createRoute } from '@hono/zod-openapi'
import { answers, apiRoutes } from '#http/api-routes.ts'
import { reachOf } from '#http/access/reach.ts'
import { send } from '#http/send.ts'
import type { StatusService } from '#status/status.service.ts'

const read = createRoute({
  method: 'get',
  path: '/',
  summary: 'What the shell of the web app needs to know about Docket itself',
  responses: answers(Status, 'The status.'),
})

/** `/api/status`: mode, connection and counts. */
export const statusRoutes = (status: StatusService) =>
  apiRoutes().openapi(read, async (c) => send(c, Status, await status.read(reachOf(c.var.identity))))
