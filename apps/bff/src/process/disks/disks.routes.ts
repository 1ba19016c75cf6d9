import { apiRoutes } from '#ground/http/api-routes.ts'
import type { Disks } from './watch-disks.ts'

/** `/api/disks`: for admins. */
export const diskRoutes = (disks: Pick<Disks, 'list'>) =>
  apiRoutes().serve('GET /api/disks', () => ({ volumes: disks.list() }))
