import type { Activity } from '@docket/api-types/activity'
import type { Database } from '#db/database.ts'
import { currentTag } from '#db/revision.ts'
import { latestEndings, type Titles } from '#history/endings.ts'
import type { Current } from '#http/polled/polled-answers.ts'

const mostRunning = 10
const mostEndings = 20

/** What one list contributes. */
export type ActivitySource = {
  titles: Titles
  /** The newest that run. */
  running: (limit: number) => Promise<Activity['running']>
  /** How many run in all. */
  countRunning: () => Promise<number>
}

/** What runs and what ended lately, over both lists. */
export type ActivityService = {
  /** Names the present content by those of both lists: whatever is shown here is counted there as a change too. */
  current: () => Promise<Current>
  read: () => Promise<Activity>
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
    read: async () => {
      const [running, exporting, working, endings] = await Promise.all([
        Promise.all(sources.map((source) => source.running(mostRunning))),
        staticExports.countRunning(),
        agentJobs.countRunning(),
        latestEndings(
          db,
          sources.map(({ titles }) => titles),
          mostEndings,
        ),
      ])
      return {
        running: running
          .flat()
          .toSorted((a, b) => b.since.localeCompare(a.since))
          .slice(0, mostRunning),
        counts: { staticExports: exporting, agentJobs: working },
        endings,
      }
    },
  }
}
