import type { BundlesCtx } from '#bundles/bundles-ctx.ts'
import type { ExportsCtx } from '#records/static-exports/exports-ctx.ts'
import { getExport, getKnownExport } from '#records/static-exports/read-exports.ts'
import { apiRoutes } from '#ground/http/api-routes.ts'
import { deleteCopy, keepCopy, storeCopy } from './copies.ts'

/** Routes by which people keep, store and delete Docket's copies of bundles. */
export const copyRoutes = (ctx: BundlesCtx, records: ExportsCtx) =>
  apiRoutes()
    .serve('POST /api/static-exports/{exportId}/artifact', async (c) => {
      const { exportId } = c.req.valid('param')
      await storeCopy(ctx, exportId, c.var.actor)
      return getExport(records, exportId)
    })
    .serve('DELETE /api/static-exports/{exportId}/artifact', async (c) => {
      const { exportId } = c.req.valid('param')
      await deleteCopy(ctx, exportId, c.var.actor)
      return getKnownExport(records, exportId)
    })
    .serve('POST /api/static-exports/{exportId}/artifact/keep', async (c) => {
      const { exportId } = c.req.valid('param')
      await keepCopy(ctx, exportId, { kept: true, by: c.var.actor })
      return getExport(records, exportId)
    })
    .serve('DELETE /api/static-exports/{exportId}/artifact/keep', async (c) => {
      const { exportId } = c.req.valid('param')
      await keepCopy(ctx, exportId, { kept: false, by: c.var.actor })
      return getExport(records, exportId)
    })
