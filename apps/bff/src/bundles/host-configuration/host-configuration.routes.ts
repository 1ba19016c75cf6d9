import { apiRoute, apiRoutes } from '#ground/http/api-routes.ts'
import type { HostConfigurationService } from './host-configuration.service.ts'

const read = apiRoute('GET', '/api/static-exports/{exportId}/artifact/host-configuration', {
  summary: 'Files that make nginx, Caddy, Apache or another host answer for a stored bundle as Docket does',
  answer: 'The files, and the path that they are written for.',
})

/** `/api/static-exports/{exportId}/artifact/host-configuration`. */
export const hostConfigurationRoutes = (service: HostConfigurationService) =>
  apiRoutes().serve(read, (c) => service.write(c.req.valid('param').exportId, c.req.valid('query')))
