import type { Activity } from '@docket/api-types/activity'
import type { Database } from '#db/database.ts'
import { currentTag } from '#db/revision.ts'
import { latestEndings, type Titles } from '#history/endings.ts'
import type { Revision } from '#http/conditional-get/conditional-get.ts'
import type { TokenScope } from '#http/access/token-scope.ts'

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

/** Running records and recent endings of both lists. */
export type ActivityService = {
  /**
   * Revision for conditional requests. Combines the revisions of both lists, because every change shown here changes
   * one of them.
   */
  current: () => Promise<Revision>
  read: (scope: TokenScope) => Promise<Activity>
}

/** `now`: milliseconds since the epoch. */
export const activityService = (deps: {
  db: Database
  staticExports: ActivitySource
  agentJobs: ActivitySource
  now: () => number
}): ActivityService => {
  const { db, staticExports, agentJobs, now } = deps
  const sources = [staticExports, agentJobs]
  return {
    current: async () => {
      const tags = await Promise.all([currentTag(db, 'static_exports'), currentTag(db, 'agent_jobs')])
      return { tag: tags.join('-'), now: now() }
    },
    read: async (scope) => {
      const [running, exporting, working, endings] = await Promise.all([
        Promise.all(sources.map((source) => source.running(maxRunning, scope))),
        staticExports.countRunning(scope),
        agentJobs.countRunning(scope),
        latestEndings(
          db,
          sources.map(({ titles }) => titles(scope)),
          maxEndings,
        ),
      ])
      return {
        running: running
          .flat()
          .toSorted((a, b) => b.since.localeCompare(a.since))
          .slice(0, maxRunning),
        counts: { staticExports: exporting, agentJobs: working },
        endings,
      }
    },
  }
}
