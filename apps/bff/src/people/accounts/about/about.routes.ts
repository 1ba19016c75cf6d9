import { requirePerson } from '#people/accounts/request-origin.ts'
import { apiRoute, apiRoutes } from '#ground/http/api-routes.ts'
import type { AboutService } from './about.service.ts'

const read = apiRoute('GET', '/api/about', {
  summary: 'Which Docket this is, and up to which version one has read about it',
  answer: 'Version and build, and for admins what it runs on.',
})
const noteRead = apiRoute('POST', '/api/account/read-news', {
  summary: 'Note that one has read what is new',
  answer: 'It is noted.',
})

/** `/api/about`: which Docket this is. */
export const aboutRoutes = (about: AboutService) =>
  apiRoutes()
    .serve(read, (c) => about.read(requirePerson(c)))
    .serve(noteRead, (c) => about.noteRead(requirePerson(c)))
