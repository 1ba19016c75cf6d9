import type { BundlesCtx } from '#bundles/bundles-ctx.ts'
import { decideOnStore } from '#bundles/shared-store/orphans.ts'
import { apiRoutes } from '#ground/http/api-routes.ts'
import { reportStorage } from './storage-report.ts'

/** `/api/storage`: only for people who see everything, because one object may belong to exports of several connections. */
export const storageRoutes = (ctx: BundlesCtx) =>
  apiRoutes()
    .serve('GET /api/storage', (c) => reportStorage(ctx, c.req.valid('query')))
    .serve('POST /api/storage/decisions', (c) => decideOnStore(ctx, c.req.valid('json'), c.var.actor))
