import { requirePerson } from '#people/accounts/request-origin.ts'
import { apiRoute, apiRoutes } from '#ground/http/api-routes.ts'
import type { SavedViewService } from './saved-views.service.ts'

const list = apiRoute('GET', '/api/views', { summary: "One's own saved views", answer: 'The views by name.' })
const save = apiRoute('POST', '/api/views', {
  summary: 'Save filters and order of a list under a name',
  answer: 'The view.',
  status: 201,
})
const change = apiRoute('PATCH', '/api/views/{viewId}', {
  summary: 'Rename a saved view, or replace its filters and order',
  answer: 'The view.',
})
const remove = apiRoute('DELETE', '/api/views/{viewId}', {
  summary: 'Delete a saved view',
  answer: 'It is deleted.',
})

/** `/api/views`: saved views of the signed-in person. */
export const savedViewRoutes = (views: SavedViewService) =>
  apiRoutes()
    .serve(list, (c) => views.list(requirePerson(c).userId))
    .serve(save, (c) => views.save(c.req.valid('json'), requirePerson(c).userId, c.var.actor))
    .serve(change, (c) =>
      views.change(c.req.valid('param').viewId, c.req.valid('json'), requirePerson(c).userId, c.var.actor),
    )
    .serve(remove, (c) => views.remove(c.req.valid('param').viewId, requirePerson(c).userId, c.var.actor))
