import { requirePerson } from '#people/accounts/request-origin.ts'
import { apiRoutes } from '#ground/http/api-routes.ts'
import type { Ctx } from '#ground/ctx.ts'
import { changeView, listViews, removeView, saveView } from '#people/saved-views/saved-views.ts'

export const savedViewRoutes = (ctx: Ctx) =>
  apiRoutes()
    .serve('GET /api/views', (c) => listViews(ctx, requirePerson(c).userId))
    .serve('POST /api/views', (c) => saveView(ctx, c.req.valid('json'), requirePerson(c).userId, c.var.actor))
    .serve('PATCH /api/views/{viewId}', (c) =>
      changeView(ctx, c.req.valid('param').viewId, c.req.valid('json'), requirePerson(c).userId, c.var.actor),
    )
    .serve('DELETE /api/views/{viewId}', (c) =>
      removeView(ctx, c.req.valid('param').viewId, requirePerson(c).userId, c.var.actor),
    )
