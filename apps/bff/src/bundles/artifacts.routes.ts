import type { StaticExport } from '@docket/api-types/static-exports'
import { apiRoute, apiRoutes } from '#ground/http/api-routes.ts'
import type { ArtifactService } from './artifacts.service.ts'

const path = '/api/static-exports/{exportId}/artifact'
const store = apiRoute('POST', path, {
  summary: 'Store the bundle of a completed export in Docket',
  answer: 'The export; `artifact` shows the progress.',
})
const remove = apiRoute('DELETE', path, {
  summary: 'Delete Docket’s copy of a bundle; the service is not told',
  answer: 'The export.',
})
const keep = apiRoute('POST', `${path}/keep`, {
  summary: 'Keep Docket’s copy of a bundle: retention leaves it alone',
  answer: 'The export.',
})
const release = apiRoute('DELETE', `${path}/keep`, {
  summary: 'Let retention delete Docket’s copy of a bundle again',
  answer: 'The export.',
})

/** Docket's copies of bundles, as people change them. */
export const artifactRoutes = (
  service: ArtifactService,
  read: (exportId: string) => Promise<StaticExport>,
  /** Reads a removed export, too. */
  readKnown: (exportId: string) => Promise<StaticExport>,
) =>
  apiRoutes()
    .serve(store, async (c) => {
      const { exportId } = c.req.valid('param')
      await service.store(exportId, c.var.actor)
      return read(exportId)
    })
    .serve(remove, async (c) => {
      const { exportId } = c.req.valid('param')
      await service.remove(exportId, c.var.actor)
      return readKnown(exportId)
    })
    .serve(keep, async (c) => {
      const { exportId } = c.req.valid('param')
      await service.keep(exportId, true, c.var.actor)
      return read(exportId)
    })
    .serve(release, async (c) => {
      const { exportId } = c.req.valid('param')
      await service.keep(exportId, false, c.var.actor)
      return read(exportId)
    })
