import { apiRoutes } from '#ground/http/api-routes.ts'
import type { ScheduledBackups } from './scheduled-backups.ts'

/** `/api/backups`: for admins. */
export const backupRoutes = (backups: Pick<ScheduledBackups, 'report' | 'request'>) =>
  apiRoutes()
    .serve('GET /api/backups', () => backups.report())
    .serve('POST /api/backups', (c) => backups.request(c.var.actor))
