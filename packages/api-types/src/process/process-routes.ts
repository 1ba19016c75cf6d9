import { BackupReport } from './backups.ts'
import { DiskReport } from './disks.ts'
import { admin } from '#ground/route.ts'

export const processRoutes = {
  'GET /api/disks': admin(
    'Free space of the volumes that the Docket which answers writes to',
    'The volumes, each with its level.',
    { response: DiskReport },
  ),
  'GET /api/backups': admin(
    'Scheduled backups: the last one, the next one, and why the newest attempt failed',
    'The report.',
    { response: BackupReport },
  ),
  'POST /api/backups': admin('Make a scheduled backup now', 'It begins within seconds.', { audit: 'backup.requested' }),
}
