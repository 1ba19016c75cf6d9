import type { BundlesCtx } from '#bundles/bundles-ctx.ts'
import type { ExportsCtx } from '#records/static-exports/exports-ctx.ts'
import { getExport, getKnownExport } from '#records/static-exports/read-exports.ts'
import { apiRoutes } from '#ground/http/api-routes.ts'
import { deleteCopy, keepCopy, storeCopy } from './retention.ts'

/** Routes by which people keep, store and delete Docket's copies of bundles. */
export const copyRoutes = (ctx: BundlesCtx, records: ExportsCtx) =>
  apiRoutes()
    .serve('POST /api/static-exports/{exportId}/artifact', async ({ exportId, by }) => {
      await storeCopy(ctx, exportId, by)
      return getExport(records, exportId)
    })
    .serve('DELETE /api/static-exports/{exportId}/artifact', async ({ exportId, by }) => {
      await deleteCopy(ctx, exportId, by)
      return getKnownExport(records, exportId)
    })
    .serve('POST /api/static-exports/{exportId}/artifact/keep', async ({ exportId, by }) => {
      await keepCopy(ctx, exportId, { kept: true, by })
      return getExport(records, exportId)
    })
    .serve('DELETE /api/static-exports/{exportId}/artifact/keep', async ({ exportId, by }) => {
      await keepCopy(ctx, exportId, { kept: false, by })
      return getExport(records, exportId)
    })
