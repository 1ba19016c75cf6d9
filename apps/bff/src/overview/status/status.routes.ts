import { apiRoute, apiRoutes } from '#ground/http/api-routes.ts'
import type { StatusService } from '#overview/status/status.service.ts'

const read = apiRoute('GET', '/api/status', {
  summary: 'What the shell of the web app needs to know about Docket itself',
  answer: 'The status.',
})

/** `/api/status`: mode, connection and counts. */
export const statusRoutes = (status: StatusService) => apiRoutes().serve(read, (c) => status.read(c.var.identity))
