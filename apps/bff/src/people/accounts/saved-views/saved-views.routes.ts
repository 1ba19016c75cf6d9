import { requirePerson } from '#people/accounts/request-origin.ts'
import { apiRoutes } from '#ground/http/api-routes.ts'
import type { SavedViewService } from './saved-views.service.ts'

/** `/api/views`: saved views of the signed-in person. */
export const savedViewRoutes = (views: SavedViewService) =>
  apiRoutes()
    .serve('GET /api/views', (c) => views.list(requirePerson(c).userId))
    .serve('POST /api/views', (c) => views.save(c.req.valid('json'), requirePerson(c).userId, c.var.actor))
    .serve('PATCH /api/views/{viewId}', (c) =>
      views.change(c.req.valid('param').viewId, c.req.valid('json'), requirePerson(c).userId, c.var.actor),
    )
    .serve('DELETE /api/views/{viewId}', (c) =>
      views.remove(c.req.valid('param').viewId, requirePerson(c).userId, c.var.actor),
    )
