import { apiRoute, apiRoutes } from '#ground/http/api-routes.ts'
import type { ScheduledBackups } from './scheduled-backups.ts'

const report = apiRoute('GET', '/api/backups', {
  summary: 'Scheduled backups: the last one, the next one, and why the newest attempt failed',
  answer: 'The report.',
})

const make = apiRoute('POST', '/api/backups', {
  summary: 'Make a scheduled backup now',
  answer: 'It begins within seconds.',
})

/** `/api/backups`: for admins. */
export const backupRoutes = (backups: Pick<ScheduledBackups, 'report' | 'request'>) =>
  apiRoutes()
    .serve(report, () => backups.report())
    .serve(make, (c) => backups.request(c.var.actor))
