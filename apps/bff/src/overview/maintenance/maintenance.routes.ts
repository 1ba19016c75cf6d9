import { readScope } from '#ground/http/access/token-scope.ts'
import { apiRoute, apiRoutes } from '#ground/http/api-routes.ts'
import type { MaintenanceService } from './maintenance.service.ts'

const preview = apiRoute('POST', '/api/maintenance/preview', {
  summary: 'Count what a maintenance order would do, where Docket’s embedded service runs; nothing is pushed',
  answer: 'The counts, and the first places.',
})

/** `/api/maintenance`: previews. The order itself is sent as an agent job. */
export const maintenanceRoutes = (maintenance: MaintenanceService) =>
  apiRoutes().serve(preview, (c) => maintenance.preview(c.req.valid('json'), c.var.actor, readScope(c.var.identity)))
