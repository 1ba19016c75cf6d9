import { apiRoutes } from '#ground/http/api-routes.ts'
import type { HostConfigurationService } from './host-configuration.service.ts'

/** `/api/static-exports/{exportId}/artifact/host-configuration`. */
export const hostConfigurationRoutes = (service: HostConfigurationService) =>
  apiRoutes().serve('GET /api/static-exports/{exportId}/artifact/host-configuration', (c) =>
    service.write(c.req.valid('param').exportId, c.req.valid('query')),
  )
