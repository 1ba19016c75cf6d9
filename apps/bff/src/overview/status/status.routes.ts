import { apiRoutes } from '#ground/http/api-routes.ts'
import { everything } from '#ground/http/access/token-scope.ts'
import { coalesce } from '#ground/http/conditional-get/coalesce.ts'
import type { OverviewCtx } from '#overview/overview-ctx.ts'
import { readStatus, readStatusWithin } from './status.ts'

export const statusRoutes = (ctx: OverviewCtx) => {
  // Shared, because every open page asks.
  const readWhole = coalesce(() => readStatusWithin(ctx, everything))
  return apiRoutes().serve('GET /api/status', (c) => readStatus(ctx, c.var.identity, readWhole))
}
