import type { Context } from 'hono'
import type { BundlesCtx } from '#bundles/bundles-ctx.ts'
import { readScope } from '#ground/http/access/token-scope.ts'
import { apiRoutes } from '#ground/http/api-routes.ts'
import type { AppEnv } from '#ground/http/app-env.ts'
import { compareArtifacts, comparePage, writeNote } from './comparisons.ts'

const readAsked = (c: Context<AppEnv>, { exportId }: { exportId: string }) => ({
  exportId,
  scope: readScope(c.var.identity),
  signal: c.req.raw.signal,
})

export const comparisonRoutes = (ctx: BundlesCtx) =>
  apiRoutes()
    .serve('GET /api/static-exports/{exportId}/artifact/changes', (c) =>
      compareArtifacts(ctx, readAsked(c, c.req.valid('param')), c.req.valid('query')),
    )
    .serve('GET /api/static-exports/{exportId}/artifact/changes/page', (c) =>
      comparePage(ctx, readAsked(c, c.req.valid('param')), c.req.valid('query')),
    )
    .serve('GET /api/static-exports/{exportId}/artifact/changes/note', (c) =>
      writeNote(ctx, readAsked(c, c.req.valid('param')), c.req.valid('query')),
    )
