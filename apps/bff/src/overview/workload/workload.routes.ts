import { apiRoutes } from '#ground/http/api-routes.ts'
import type { WorkloadService } from './workload.service.ts'

/** `/api/workload`. */
export const workloadRoutes = (workload: WorkloadService) =>
  apiRoutes()
    .serve('GET /api/workload', async () => ({ unattended: await workload.listUnattended() }))
    .serve('GET /api/workload/processes', async () => ({ processes: await workload.listProcesses() }))
