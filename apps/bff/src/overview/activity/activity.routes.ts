import { apiRoutes } from '#ground/http/api-routes.ts'
import type { ConditionalGet } from '#ground/http/conditional-get/conditional-get.ts'
import { coalesce } from '#ground/http/conditional-get/coalesce.ts'
import { narrowScope } from '#ground/http/access/token-scope.ts'
import type { ActivityService } from './activity.service.ts'

/** `/api/activity`: for every page of the web app. */
export const activityRoutes = (activity: ActivityService, polled: ConditionalGet) => {
  const current = coalesce(activity.current)
  return apiRoutes().poll('GET /api/activity', polled, (c) => ({
    current,
    read: async (scope) => {
      const query = c.req.valid('query')
      return { value: await activity.read(narrowScope(scope, query), query.before) }
    },
  }))
}
