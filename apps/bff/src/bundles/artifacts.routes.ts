import type { StaticExport } from '@docket/api-types/static-exports'
import { apiRoutes } from '#ground/http/api-routes.ts'
import type { ArtifactService } from './artifacts.service.ts'

/** Docket's copies of bundles, as people change them. */
export const artifactRoutes = (
  service: ArtifactService,
  read: (exportId: string) => Promise<StaticExport>,
  /** Reads a removed export, too. */
  readKnown: (exportId: string) => Promise<StaticExport>,
) =>
  apiRoutes()
    .serve('POST /api/static-exports/{exportId}/artifact', async (c) => {
      const { exportId } = c.req.valid('param')
      await service.store(exportId, c.var.actor)
      return read(exportId)
    })
    .serve('DELETE /api/static-exports/{exportId}/artifact', async (c) => {
      const { exportId } = c.req.valid('param')
      await service.remove(exportId, c.var.actor)
      return readKnown(exportId)
    })
    .serve('POST /api/static-exports/{exportId}/artifact/keep', async (c) => {
      const { exportId } = c.req.valid('param')
      await service.keep(exportId, true, c.var.actor)
      return read(exportId)
    })
    .serve('DELETE /api/static-exports/{exportId}/artifact/keep', async (c) => {
      const { exportId } = c.req.valid('param')
      await service.keep(exportId, false, c.var.actor)
      return read(exportId)
    })
