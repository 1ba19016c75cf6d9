import { Activity } from '@docket/api-types/activity'
import { createRoute } from '@hono/zod-openapi'
import { apiRoutes, conditionalAnswers } from '#http/api-routes.ts'
import type { ConditionalGet } from '#http/conditional-get/conditional-get.ts'
import { coalesce } from '#http/conditional-get/coalesce.ts'
import type { ActivityService } from './activity.service.ts'

const read = createRoute({
  method: 'get',
  path: '/',
  summary: 'What runs, and what ended lately',
  responses: conditionalAnswers(Activity, 'At most ten that run and the latest twenty endings.'),
})

/** `/api/activity`: for every page of the web app. */
export const activityRoutes = (activity: ActivityService, polled: ConditionalGet) => {
  const current = coalesce(activity.current)
  return apiRoutes().openapi(read, (c) =>
    polled.send(c, { current, schema: Activity, make: async (reach) => ({ value: await activity.read(reach) }) }),
  )
}
