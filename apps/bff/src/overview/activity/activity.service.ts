import type { Activity } from '@docket/api-types/activity'
import type { Database } from '#ground/db/database.ts'
import { currentTag } from '#ground/db/revision.ts'
import { latestEndings, type Titles } from '#service/history/endings.ts'
import type { TokenScope } from '#ground/http/access/token-scope.ts'

const maxRunning = 10
const maxEndings = 20

/** Contribution of one list: its records within the scope. */
export type ActivitySource = {
  titles: (scope: TokenScope) => Titles
  /** The newest that run. */
  running: (limit: number, scope: TokenScope) => Promise<Activity['running']>
  /** Total number of running records. */
  countRunning: (scope: TokenScope) => Promise<number>
}

/** `now`: milliseconds since the epoch. */
export const activityService = (deps: {
  db: Database
  staticExports: ActivitySource
  agentJobs: ActivitySource
  now: () => number
}) => {
  const { db, staticExports, agentJobs, now } = deps
  const sources = [staticExports, agentJobs]
  return {
    /** Names the present content by those of both lists: whatever is shown here is counted there as a change too. */
    current: async () => {
      const tags = await Promise.all([currentTag(db, 'static_exports'), currentTag(db, 'agent_jobs')])
      return { tag: tags.join('-'), now: now() }
    },
    /** Reads the latest endings, or those before an event. */
    read: async (scope: TokenScope, before?: number) => {
      const [running, exporting, working, ended] = await Promise.all([
        Promise.all(sources.map((source) => source.running(maxRunning, scope))),
        staticExports.countRunning(scope),
        agentJobs.countRunning(scope),
        latestEndings(
          db,
          sources.map(({ titles }) => titles(scope)),
          { limit: maxEndings, before },
        ),
      ])
      return {
        running: running
          .flat()
          .toSorted((a, b) => b.since.localeCompare(a.since))
          .slice(0, maxRunning),
        counts: { staticExports: exporting, agentJobs: working },
        ...ended,
      }
    },
  }
}

/** What runs and what ended lately, over both lists. */
export type ActivityService = ReturnType<typeof activityService>
