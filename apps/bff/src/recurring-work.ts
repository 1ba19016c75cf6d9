import { deleteEndedSignIns } from '#accounts/clean-up.ts'
import type { AgentJobService } from '#agent-jobs/agent-jobs.service.ts'
import type { AuditService } from '#audit/audit.service.ts'
import type { auditSealing } from '#audit/chain/sealing.ts'
import { background } from '#background/background.ts'
import type { Database } from '#db/database.ts'
import { deleteOldHistory, type Retention } from '#history/retention.ts'
import type { Log } from '#log/log.ts'
import { deleteOldCalls } from '#rate-limit/call-report.ts'
import type { StaticExportService } from '#static-exports/static-exports.service.ts'

/** The recurring work of all slices, started and stopped with the server. */
export const recurringWork = (deps: {
  db: Database
  audit: Pick<AuditService, 'purge'>
  sealing: Pick<ReturnType<typeof auditSealing>, 'run'>
  staticExports: Pick<StaticExportService, 'purgeRemoved'>
  agentJobs: Pick<AgentJobService, 'purgeRemoved'>
  cleanUpBuilds: () => Promise<void>
  retentionDays: Retention
  now: () => number
  log: Log
}) => {
  const { db, audit, sealing, staticExports, agentJobs, cleanUpBuilds, retentionDays, now, log } = deps
  return background({
    runSql: (text, values) => db.$client.query(text, values),
    log,
    works: [
      { name: 'removed-exports', cron: '7 3 * * *', run: staticExports.purgeRemoved },
      { name: 'removed-jobs', cron: '17 3 * * *', run: agentJobs.purgeRemoved },
      { name: 'old-history', cron: '37 3 * * *', run: () => deleteOldHistory(db, now(), retentionDays) },
      { name: 'old-audit', cron: '47 3 * * *', run: audit.purge },
      { name: 'old-builds', cron: '57 3 * * *', run: cleanUpBuilds },
      { name: 'seal-audit', cron: '*/5 * * * *', often: true, run: sealing.run },
      { name: 'ended-sign-ins', cron: '47 * * * *', run: () => deleteEndedSignIns(db, now()) },
      { name: 'old-calls', cron: '27 * * * *', run: () => deleteOldCalls(db, now()) },
    ],
  })
}
