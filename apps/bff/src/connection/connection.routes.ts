import type { ConnectionService } from '#connection/connection.service.ts'
import { apiRoute, apiRoutes } from '#http/api-routes.ts'

const read = apiRoute('GET', '/api/connection', {
  summary: 'Budget, health and next calls of the connection to the Admin API',
  answer: 'Everything Docket knows about its talk with the Admin API.',
})

/** `/api/connection`: what Settings › Connection shows. */
export const connectionRoutes = (connection: ConnectionService) => apiRoutes().serve(read, () => connection.read())
