import { apiRoutes } from '#ground/http/api-routes.ts'
import type { ConditionalGet } from '#ground/http/conditional-get/conditional-get.ts'
import { coalesce } from '#ground/http/conditional-get/coalesce.ts'
import { narrowScope } from '#ground/http/access/token-scope.ts'
import type { OverviewCtx } from '#overview/overview-ctx.ts'
import { currentActivity, readActivity } from './activity.ts'

export const activityRoutes = (ctx: OverviewCtx, polled: ConditionalGet) => {
  const current = coalesce(() => currentActivity(ctx))
  return apiRoutes().poll('GET /api/activity', polled, (c) => ({
    current,
    read: async (scope) => {
      const query = c.req.valid('query')
      return { value: await readActivity(ctx, narrowScope(scope, query), query.before) }
    },
  }))
}
