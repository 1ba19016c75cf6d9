import { requirePerson } from '#people/accounts/request-origin.ts'
import { apiRoutes } from '#ground/http/api-routes.ts'
import type { AboutService } from './about.service.ts'

/** `/api/about`: which Docket this is. */
export const aboutRoutes = (about: AboutService) =>
  apiRoutes()
    .serve('GET /api/about', (c) => about.read(requirePerson(c)))
    .serve('POST /api/account/read-news', (c) => about.noteRead(requirePerson(c)))
