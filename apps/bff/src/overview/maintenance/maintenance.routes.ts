import { readScope } from '#ground/http/access/token-scope.ts'
import { apiRoutes } from '#ground/http/api-routes.ts'
import type { MaintenanceService } from './maintenance.service.ts'

/** `/api/maintenance`: previews. The order itself is sent as an agent job. */
export const maintenanceRoutes = (maintenance: MaintenanceService) =>
  apiRoutes().serve('POST /api/maintenance/preview', (c) =>
    maintenance.preview(c.req.valid('json'), c.var.actor, readScope(c.var.identity)),
  )
