import { apiRoute, apiRoutes } from '#ground/http/api-routes.ts'
import type { WorkloadService } from './workload.service.ts'

const unattended = apiRoute('GET', '/api/workload', {
  summary: 'Work of the embedded service that nobody does',
  answer: 'Kinds of work that wait though no process takes them.',
})
const processes = apiRoute('GET', '/api/workload/processes', {
  summary: 'Processes of the embedded service',
  answer: 'The processes, the oldest first.',
})

/** `/api/workload`. */
export const workloadRoutes = (workload: WorkloadService) =>
  apiRoutes()
    .serve(unattended, async () => ({ unattended: await workload.listUnattended() }))
    .serve(processes, async () => ({ processes: await workload.listProcesses() }))
