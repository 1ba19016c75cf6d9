import { apiRoutes } from '#ground/http/api-routes.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { Identity } from '#ground/identity/identity.ts'
import type { PreviewsCtx } from '#releases/releases-ctx.ts'
import { closePreview, openPreview, readPreview } from './previews.ts'

/** A preview belongs to a session, so tokens have none. */
const readSession = (identity: Identity): string => {
  if (identity?.kind !== 'person') throw new AppError('forbidden', 'Only people can open previews.')
  return identity.sessionId
}

export const previewRoutes = (ctx: PreviewsCtx) =>
  apiRoutes()
    .serve('POST /api/static-exports/{exportId}/artifact/previews', (c) =>
      openPreview(ctx, c.req.valid('param').exportId, {
        path: c.req.valid('json').path,
        sessionId: readSession(c.var.identity),
        host: c.req.header('host') ?? '',
        by: c.var.actor,
      }),
    )
    .serve('GET /api/static-exports/{exportId}/artifact/previews/{previewId}', (c) =>
      readPreview(ctx, { ...c.req.valid('param'), sessionId: readSession(c.var.identity) }),
    )
    .serve('DELETE /api/static-exports/{exportId}/artifact/previews/{previewId}', (c) =>
      closePreview(ctx, { ...c.req.valid('param'), sessionId: readSession(c.var.identity) }),
    )
