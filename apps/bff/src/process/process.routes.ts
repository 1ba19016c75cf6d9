import { apiRoutes } from '#ground/http/api-routes.ts'
import type { ScheduledBackups } from '#process/backup/scheduled/scheduled-backups.ts'
import type { Disks } from '#process/disks/watch-disks.ts'

export const processRoutes = ({
  disks,
  backups,
}: {
  disks: Pick<Disks, 'list'>
  backups: Pick<ScheduledBackups, 'report' | 'request'>
}) =>
  apiRoutes()
    .serve('GET /api/disks', () => ({ volumes: disks.list() }))
    .serve('GET /api/backups', () => backups.report())
    .serve('POST /api/backups', ({ by }) => backups.request(by))
