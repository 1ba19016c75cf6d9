import { apiRoutes } from '#ground/http/api-routes.ts'
import type { OverviewCtx } from '#overview/overview-ctx.ts'

export const workloadRoutes = ({ workload }: OverviewCtx) =>
  apiRoutes()
    .serve('GET /api/workload', async () => ({ unattended: await workload.listUnattended() }))
    .serve('GET /api/workload/processes', async () => ({ processes: await workload.listProcesses() }))
