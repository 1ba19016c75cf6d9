import { readScope } from '#ground/http/access/token-scope.ts'
import { apiRoutes } from '#ground/http/api-routes.ts'
import type { ComparisonService } from './comparisons.service.ts'

/** `/api/static-exports/{exportId}/artifact/changes…`: comparisons of stored bundles. */
export const comparisonRoutes = (comparisons: ComparisonService) =>
  apiRoutes()
    .serve('GET /api/static-exports/{exportId}/artifact/changes', (c) =>
      comparisons.compare(c.req.valid('param').exportId, c.req.valid('query'), readScope(c.var.identity)),
    )
    .serve('GET /api/static-exports/{exportId}/artifact/changes/page', (c) =>
      comparisons.comparePage(
        c.req.valid('param').exportId,
        c.req.valid('query'),
        readScope(c.var.identity),
        c.req.raw.signal,
      ),
    )
    .serve('GET /api/static-exports/{exportId}/artifact/changes/note', (c) =>
      comparisons.writeNote(c.req.valid('param').exportId, c.req.valid('query'), readScope(c.var.identity)),
    )
