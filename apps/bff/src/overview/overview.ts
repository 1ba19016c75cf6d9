import { aboutDocket } from '#overview/about/about.ts'
import { activityService } from '#overview/activity/activity.service.ts'
import { type Maintenance, maintenanceService } from '#overview/maintenance/maintenance.service.ts'
import { type StatusFacts, statusService } from '#overview/status/status.service.ts'
import { type ReadWorkload, workloadService } from '#overview/workload/workload.service.ts'
import { countActive as countWorkingJobs, jobTitles, workingJobs } from '#records/agent-jobs/agent-jobs.list.ts'
import {
  countActive as countRunningExports,
  exportTitles,
  runningExports,
} from '#records/static-exports/static-exports.list.ts'
import { listConnectionsWithin } from '#service/connections/connection-rows.ts'
import type { Connections } from '#service/service.ts'
import type { Ctx } from '#ground/ctx.ts'

/** What concerns the installation as a whole. */
export const openOverview = (
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  deps: {
    facts: StatusFacts
    summary: Parameters<typeof statusService>[0]['report']
    registry: Connections
    /** Null: this process runs no embedded service. */
    maintenance: Maintenance | null
    /** Null: this process runs no embedded service. */
    readWorkload: ReadWorkload | null
  },
) => {
  const { facts, summary, registry, maintenance, readWorkload } = deps
  return {
    about: aboutDocket({ db, version: facts.version, now }),
    activity: activityService({
      db,
      staticExports: {
        titles: (scope) => exportTitles(db, scope),
        running: (limit, scope) => runningExports(db, limit, scope),
        countRunning: (scope) => countRunningExports(db, scope),
      },
      agentJobs: {
        titles: (scope) => jobTitles(db, scope),
        running: (limit, scope) => workingJobs(db, limit, { now: now(), scope }),
        countRunning: (scope) => countWorkingJobs(db, scope),
      },
      now,
    }),
    status: statusService({
      facts,
      now,
      report: summary,
      findConnections: (token) => listConnectionsWithin(db, token),
      active: async (scope) => {
        const [exporting, working] = await Promise.all([countRunningExports(db, scope), countWorkingJobs(db, scope)])
        return { staticExports: exporting, agentJobs: working }
      },
    }),
    workload: workloadService({ read: readWorkload, now }),
    maintenance: maintenanceService({ db, maintenance, connections: registry, now }),
  }
}
