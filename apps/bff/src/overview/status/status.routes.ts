import { apiRoutes } from '#ground/http/api-routes.ts'
import type { StatusService } from '#overview/status/status.service.ts'

/** `/api/status`: mode, connection and counts. */
export const statusRoutes = (status: StatusService) =>
  apiRoutes().serve('GET /api/status', (c) => status.read(c.var.identity))
