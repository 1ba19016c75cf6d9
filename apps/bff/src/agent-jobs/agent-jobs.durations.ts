import type { UsualDuration } from '@docket/api-types/list'
import type { AgentJobRow } from '#agent-jobs/agent-jobs.meaning.ts'
import { agentJobs } from '#agent-jobs/agent-jobs.table.ts'
import type { Database } from '#db/database.ts'
import { cachedUsualDurations, usualDurations } from '#history/usual-durations.ts'

/** How long jobs of a repository take here; of all repositories while this one has too few. */
export type JobDurations = {
  forOne: (row: AgentJobRow) => Promise<UsualDuration | null>
  /** Of those that work, for a list; null for the others. May be some seconds old. */
  forWorking: (rows: readonly AgentJobRow[]) => Promise<(row: AgentJobRow) => UsualDuration | null>
}

const timed = { table: agentJobs, by: agentJobs.repository }

/** `now`: milliseconds since the epoch. */
export const jobDurations = (db: Database, now: () => number): JobDurations => {
  const cached = cachedUsualDurations(timed, now)
  const findUsual = (known: Awaited<ReturnType<typeof cached>>, { repository }: AgentJobRow) =>
    (repository === null ? null : known.get(repository)) ?? known.get(null) ?? null
  return {
    forOne: async (row) => findUsual(await usualDurations(db, timed, [...new Set([row.repository, null])]), row),
    forWorking: async (rows) => {
      const working = rows.filter(({ finishedAt, goneAt }) => finishedAt === null && goneAt === null)
      if (working.length === 0) return () => null
      const known = await cached(db, [null, ...working.map(({ repository }) => repository)])
      return (row) => (working.includes(row) ? findUsual(known, row) : null)
    },
  }
}
