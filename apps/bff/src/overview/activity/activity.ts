import {
  countActive as countWorkingJobs,
  createJobTitleFinder,
  listWorkingJobs,
} from '#records/agent-jobs/agent-jobs.list.ts'
import {
  countActive as countRunningExports,
  createExportTitleFinder,
  listRunningExports,
} from '#records/static-exports/static-exports.list.ts'
import { listLatestEndings } from '#service/history/endings.ts'
import { readListTag } from '#ground/db/revision.ts'
import type { TokenScope } from '#ground/http/access/token-scope.ts'
import type { OverviewCtx } from '#overview/overview-ctx.ts'

const maxRunning = 10
const maxEndings = 20

/** Combines the revisions of both lists, because every change that is shown here changes one of them. */
export const currentActivity = async ({ db, now }: OverviewCtx) => {
  const tags = await Promise.all([readListTag(db, 'static_exports'), readListTag(db, 'agent_jobs')])
  return { tag: tags.join('-'), now: now() }
}

/** Reads what is running, and what finished: the latest, or what finished before an event. */
export const readActivity = async ({ db, now }: OverviewCtx, scope: TokenScope, before?: number) => {
  const [exports, jobs, exporting, working, ended] = await Promise.all([
    listRunningExports(db, maxRunning, scope),
    listWorkingJobs(db, maxRunning, { now: now(), scope }),
    countRunningExports(db, scope),
    countWorkingJobs(db, scope),
    listLatestEndings(db, [createExportTitleFinder(db, scope), createJobTitleFinder(db, scope)], {
      limit: maxEndings,
      before,
    }),
  ])
  const running = [...exports, ...jobs].toSorted((a, b) => b.since.localeCompare(a.since)).slice(0, maxRunning)
  return { running, counts: { staticExports: exporting, agentJobs: working }, ...ended }
}
