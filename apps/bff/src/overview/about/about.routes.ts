import { requirePerson } from '#people/accounts/request-origin.ts'
import { apiRoutes } from '#ground/http/api-routes.ts'
import type { AboutDocket } from '#overview/about/about.ts'

export const aboutRoutes = (about: AboutDocket) =>
  apiRoutes()
    .serve('GET /api/about', (c) => about.read(requirePerson(c)))
    .serve('POST /api/account/read-news', (c) => about.markNewsRead(requirePerson(c)))
