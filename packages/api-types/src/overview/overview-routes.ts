import { Activity, ActivityQuery } from './activity.ts'
import { MaintenancePreview, PreviewMaintenance } from './maintenance.ts'
import { SiteRows, SiteRowsQuery } from './site-rows.ts'
import { Status } from './status.ts'
import { WorkloadProcesses, WorkloadReport } from './workload.ts'
import { admin, ofSites, operatorInScope, viewer, viewerInScope } from '#ground/route.ts'

export const overviewRoutes = {
  'GET /api/status': viewerInScope('What the shell of the web app needs to know about Docket itself', 'The status.', {
    response: Status,
  }),
  'GET /api/overview/sites': ofSites(
    'What is live and what is new, a row for each site',
    'Sites and exported domains that the sender may see, by name.',
    { query: SiteRowsQuery, response: SiteRows },
  ),
  'GET /api/workload': viewer(
    'Work of this machine that nobody does',
    'Kinds of work that wait though no process takes them.',
    { response: WorkloadReport },
  ),
  'GET /api/workload/processes': admin(
    'Processes that do the work of this machine',
    'The processes, the oldest first.',
    {
      response: WorkloadProcesses,
    },
  ),
  'GET /api/activity': viewerInScope(
    'What runs, and what ended lately',
    'At most ten that run, and twenty endings: the latest, or those before `before`.',
    { query: ActivityQuery, response: Activity },
  ),
  'POST /api/maintenance/preview': operatorInScope(
    'Count what a maintenance order would do, on this machine; nothing is pushed',
    'The counts, and the first places.',
    { body: PreviewMaintenance, response: MaintenancePreview, audit: 'maintenance.previewed' },
  ),
}
