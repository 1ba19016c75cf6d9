import { findArtifact } from '#bundles/artifacts/find-artifact.ts'
import type { BundlesCtx } from '#bundles/bundles-ctx.ts'
import { apiRoutes } from '#ground/http/api-routes.ts'
import { configureHost } from './host-configuration.ts'

export const hostConfigurationRoutes = (ctx: BundlesCtx) =>
  apiRoutes().serve('GET /api/static-exports/{exportId}/artifact/host-configuration', async (c) => {
    const { site } = await findArtifact(ctx, c.req.valid('param').exportId)
    return configureHost(site, c.req.valid('query'))
  })
