import { readScope } from '#ground/http/access/token-scope.ts'
import { apiRoutes } from '#ground/http/api-routes.ts'
import type { OverviewCtx } from '#overview/overview-ctx.ts'
import { previewMaintenance } from './maintenance.ts'

/** The order itself is sent as an agent job. */
export const maintenanceRoutes = (ctx: OverviewCtx) =>
  apiRoutes().serve('POST /api/maintenance/preview', (c) =>
    previewMaintenance(ctx, c.req.valid('json'), c.var.actor, readScope(c.var.identity)),
  )
