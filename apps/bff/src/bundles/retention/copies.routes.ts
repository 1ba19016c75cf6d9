import type { StaticExport } from '@docket/api-types/static-exports'
import type { BundlesCtx } from '#bundles/bundles-ctx.ts'
import { apiRoutes } from '#ground/http/api-routes.ts'
import { deleteCopy, keepCopy, storeCopy } from './copies.ts'

/** Routes by which people keep, store and delete Docket's copies of bundles. `readKnown` reads a removed export, too. */
export const copyRoutes = (
  ctx: BundlesCtx,
  read: (exportId: string) => Promise<StaticExport>,
  readKnown: (exportId: string) => Promise<StaticExport>,
) =>
  apiRoutes()
    .serve('POST /api/static-exports/{exportId}/artifact', async (c) => {
      const { exportId } = c.req.valid('param')
      await storeCopy(ctx, exportId, c.var.actor)
      return read(exportId)
    })
    .serve('DELETE /api/static-exports/{exportId}/artifact', async (c) => {
      const { exportId } = c.req.valid('param')
      await deleteCopy(ctx, exportId, c.var.actor)
      return readKnown(exportId)
    })
    .serve('POST /api/static-exports/{exportId}/artifact/keep', async (c) => {
      const { exportId } = c.req.valid('param')
      await keepCopy(ctx, exportId, { kept: true, by: c.var.actor })
      return read(exportId)
    })
    .serve('DELETE /api/static-exports/{exportId}/artifact/keep', async (c) => {
      const { exportId } = c.req.valid('param')
      await keepCopy(ctx, exportId, { kept: false, by: c.var.actor })
      return read(exportId)
    })
