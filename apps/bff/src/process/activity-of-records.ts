import { activityService } from '#overview/activity/activity.service.ts'
import { jobTitles, workingJobs } from '#records/agent-jobs/agent-jobs.list.ts'
import type { AgentJobService } from '#records/agent-jobs/agent-jobs.service.ts'
import type { Database } from '#ground/db/database.ts'
import { exportTitles, runningExports } from '#records/static-exports/static-exports.list.ts'
import type { StaticExportService } from '#records/static-exports/static-exports.service.ts'

/** The activity of both kinds of records. */
export const activityOfRecords = (deps: {
  db: Database
  staticExports: Pick<StaticExportService, 'countActive'>
  agentJobs: Pick<AgentJobService, 'countActive'>
  now: () => number
}) => {
  const { db, staticExports, agentJobs, now } = deps
  return activityService({
    db,
    staticExports: {
      titles: (scope) => exportTitles(db, scope),
      running: (limit, scope) => runningExports(db, limit, scope),
      countRunning: staticExports.countActive,
    },
    agentJobs: {
      titles: (scope) => jobTitles(db, scope),
      running: (limit, scope) => workingJobs(db, limit, { now: now(), scope }),
      countRunning: agentJobs.countActive,
    },
    now,
  })
}
