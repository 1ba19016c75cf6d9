import { apiRoutes } from '#ground/http/api-routes.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { Identity } from '#ground/identity/identity.ts'
import type { PreviewService } from './previews.service.ts'

/** A preview belongs to a session, so tokens have none. */
const readSession = (identity: Identity): string => {
  if (identity?.kind !== 'person') throw new AppError('forbidden', 'Only people can open previews.')
  return identity.sessionId
}

/** `/api/static-exports/{exportId}/artifact/previews`: bundles that people look at. */
export const previewRoutes = (previews: PreviewService) =>
  apiRoutes()
    .serve('POST /api/static-exports/{exportId}/artifact/previews', (c) =>
      previews.open(c.req.valid('param').exportId, {
        path: c.req.valid('json').path,
        sessionId: readSession(c.var.identity),
        host: c.req.header('host') ?? '',
        by: c.var.actor,
      }),
    )
    .serve('GET /api/static-exports/{exportId}/artifact/previews/{previewId}', (c) =>
      previews.report({ ...c.req.valid('param'), sessionId: readSession(c.var.identity) }),
    )
    .serve('DELETE /api/static-exports/{exportId}/artifact/previews/{previewId}', (c) =>
      previews.close({ ...c.req.valid('param'), sessionId: readSession(c.var.identity) }),
    )
