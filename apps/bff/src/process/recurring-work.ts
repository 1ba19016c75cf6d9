import { deleteEndedSignIns } from '#people/accounts/clean-up.ts'
import type { ArtifactServices } from './artifact-services.ts'
import type { Background, RecordWork } from '#ground/background/background.ts'
import type { ScheduledBackups } from '#process/backup/scheduled/scheduled-backups.ts'
import type { Database } from '#ground/db/database.ts'
import { deleteOldHistory, type Retention } from '#service/history/retention.ts'
import { deleteEndedReaders } from '#releases/hosting/hosted-sites.service.ts'
import { deleteEndedPreviews } from '#releases/previews/previews.service.ts'
import { deleteOldCalls } from '#service/rate-limit/call-report.ts'

type Purged = { purgeRemoved(): Promise<unknown> }

/** The work of this process that recurs without a request. */
export const recurringWork = (deps: {
  work: Background
  db: Database
  now: () => number
  retentionDays: Retention
  audit: { purge(): Promise<unknown> }
  sealing: { run(): Promise<unknown> }
  staticExports: Purged
  agentJobs: Purged
  artifacts: Pick<ArtifactServices, 'works' | 'records'>
  targets: { records: readonly RecordWork[] }
  cleanUpBuilds: () => Promise<void>
  backups: Pick<ScheduledBackups, 'works'>
}) => {
  const { work, db, now, retentionDays, audit, sealing, staticExports, agentJobs, artifacts, cleanUpBuilds } = deps
  for (const record of [...artifacts.records, ...deps.targets.records]) work.addRecords(record)
  const works = [
    ...artifacts.works,
    ...deps.backups.works,
    { name: 'removed-exports', cron: '7 3 * * *', run: staticExports.purgeRemoved },
    { name: 'removed-jobs', cron: '17 3 * * *', run: agentJobs.purgeRemoved },
    { name: 'old-history', cron: '37 3 * * *', run: () => deleteOldHistory(db, now(), retentionDays) },
    { name: 'old-audit', cron: '47 3 * * *', run: audit.purge },
    { name: 'old-builds', cron: '57 3 * * *', run: cleanUpBuilds },
    { name: 'seal-audit', cron: '*/5 * * * *', often: true, run: sealing.run },
    { name: 'ended-sign-ins', cron: '47 * * * *', run: () => deleteEndedSignIns(db, now()) },
    { name: 'ended-previews', cron: '52 * * * *', run: () => deleteEndedPreviews(db, now()) },
    { name: 'ended-readers', cron: '56 * * * *', run: () => deleteEndedReaders(db, now()) },
    { name: 'old-calls', cron: '27 * * * *', run: () => deleteOldCalls(db, now()) },
  ] as const
  work.add(...works)
}
