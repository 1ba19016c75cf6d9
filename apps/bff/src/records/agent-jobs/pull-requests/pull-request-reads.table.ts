import { foreignKey, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { agentJobs } from '#records/agent-jobs/agent-jobs.table.ts'
import { instant } from '#ground/db/watch-columns.ts'

/** There is a row for each job whose pull request was or is being read. */
export const pullRequestReads = pgTable(
  'pull_request_reads',
  {
    connectionId: uuid('connection_id').notNull(),
    projectId: text('project_id').notNull(),
    id: text('id').notNull(),
    /** The link that was read. If the job has another link, it is read at once. */
    link: text('link').notNull(),
    /** `finished_at` of the job at the time of the read. After a follow-up it differs, and the pull request is read at once. */
    readyAt: instant('ready_at'),
    /** When the read is due. During a read, the end of the lease. */
    dueAt: instant('due_at').notNull(),
    readAt: instant('read_at'),
    /** Counts failed reads in a row; `problem` is the reason for the last one. */
    failures: integer('failures').notNull().default(0),
    problem: text('problem'),
  },
  (t) => [
    primaryKey({ columns: [t.connectionId, t.projectId, t.id] }),
    foreignKey({
      name: 'pull_request_reads_job',
      columns: [t.connectionId, t.projectId, t.id],
      foreignColumns: [agentJobs.connectionId, agentJobs.projectId, agentJobs.id],
    })
      .onDelete('cascade')
      .onUpdate('cascade'),
  ],
)
