import { agentJobs } from '#agent-jobs/agent-jobs.table.ts'
import { formatTitle } from '#agent-jobs/agent-jobs.title.ts'
import type { Database } from '#db/database.ts'
import { lateReads, nextReads } from '#polling/due-reads.ts'

/** The reads of jobs that are late or come next. `now` in milliseconds since the epoch. */
export const jobReads = (db: Database, now: () => number) => ({
  calls: 'agent_jobs' as const,
  late: () => lateReads(db, agentJobs, { now: now() }),
  next: async (limit: number) =>
    (await nextReads(db, agentJobs, { limit })).map((row) => ({
      key: { type: 'agent_job' as const, projectId: row.projectId, id: row.id },
      title: formatTitle(row),
      nextCheckAt: row.nextCheckAt.toISOString(),
    })),
})
