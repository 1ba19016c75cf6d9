import { apiRoute, apiRoutes } from '#ground/http/api-routes.ts'
import type { Disks } from './watch-disks.ts'

const report = apiRoute('GET', '/api/disks', {
  summary: 'Free space of the volumes that the Docket which answers writes to',
  answer: 'The volumes, each with its level.',
})

/** `/api/disks`: for admins. */
export const diskRoutes = (disks: Pick<Disks, 'list'>) => apiRoutes().serve(report, () => ({ volumes: disks.list() }))
