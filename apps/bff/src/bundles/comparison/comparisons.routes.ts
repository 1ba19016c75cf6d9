import { readScope } from '#ground/http/access/token-scope.ts'
import { apiRoute, apiRoutes } from '#ground/http/api-routes.ts'
import type { ComparisonService } from './comparisons.service.ts'

const path = '/api/static-exports/{exportId}/artifact/changes'
const changes = apiRoute('GET', path, {
  summary: 'What changed between two stored bundles of a site, page by page; by default since the one before',
  answer: 'Counts, changes that most pages share, and a part of the pages that differ.',
})
const page = apiRoute('GET', `${path}/page`, {
  summary: 'The words of one page before and after',
  answer: 'Blocks of its main text with the words that were added and removed.',
})
const note = apiRoute('GET', `${path}/note`, {
  summary: 'A note for readers about what changed, as Markdown',
  answer: 'The note. The filters of the pages do not apply.',
})

/** `/api/static-exports/{exportId}/artifact/changes…`: comparisons of stored bundles. */
export const comparisonRoutes = (comparisons: ComparisonService) =>
  apiRoutes()
    .serve(changes, (c) =>
      comparisons.compare(c.req.valid('param').exportId, c.req.valid('query'), readScope(c.var.identity)),
    )
    .serve(page, (c) =>
      comparisons.comparePage(
        c.req.valid('param').exportId,
        c.req.valid('query'),
        readScope(c.var.identity),
        c.req.raw.signal,
      ),
    )
    .serve(note, (c) =>
      comparisons.writeNote(c.req.valid('param').exportId, c.req.valid('query'), readScope(c.var.identity)),
    )
