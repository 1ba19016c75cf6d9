import { apiRoute, apiRoutes } from '#ground/http/api-routes.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { Identity } from '#ground/identity/identity.ts'
import type { PreviewService } from './previews.service.ts'

const open = apiRoute('POST', '/api/static-exports/{exportId}/artifact/previews', {
  summary: 'Open a stored bundle in this browser, apart from Docket',
  answer: 'Where to open it. The address works once.',
})
const read = apiRoute('GET', '/api/static-exports/{exportId}/artifact/previews/{previewId}', {
  summary: 'What pages of a preview asked for and did not get',
  answer: 'Its violations.',
})
const close = apiRoute('DELETE', '/api/static-exports/{exportId}/artifact/previews/{previewId}', {
  summary: 'End a preview',
  answer: 'It has ended.',
})

/** A preview belongs to a session, so tokens have none. */
const readSession = (identity: Identity): string => {
  if (identity?.kind !== 'person') throw new AppError('forbidden', 'Only people can open previews.')
  return identity.sessionId
}

/** `/api/static-exports/{exportId}/artifact/previews`: bundles that people look at. */
export const previewRoutes = (previews: PreviewService) =>
  apiRoutes()
    .serve(open, (c) =>
      previews.open(c.req.valid('param').exportId, {
        path: c.req.valid('json').path,
        sessionId: readSession(c.var.identity),
        host: c.req.header('host') ?? '',
        by: c.var.actor,
      }),
    )
    .serve(read, (c) => previews.report({ ...c.req.valid('param'), sessionId: readSession(c.var.identity) }))
    .serve(close, (c) => previews.close({ ...c.req.valid('param'), sessionId: readSession(c.var.identity) }))
