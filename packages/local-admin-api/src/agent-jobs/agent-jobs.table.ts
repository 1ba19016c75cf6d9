import { sql } from 'drizzle-orm'
import {
  bigint,
  bigserial,
  boolean,
  customType,
  index,
  jsonb,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { AgentJobRecord } from '#agent-jobs/agent-job.ts'
import { embedded, instant } from '#database/database.ts'

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

export const agentJobs = embedded.table(
  'agent_jobs',
  {
    id: text('id').primaryKey(),
    seq: bigserial('seq', { mode: 'number' }).notNull(),
    projectId: text('project_id').notNull(),
    /** Marker of the embedded code host with the project's repository. Null when the repository is remote. */
    codeHost: text('code_host'),
    status: text('status').$type<AgentJobRecord['status']>().notNull(),
    model: text('model').notNull(),
    turns: jsonb('turns').$type<AgentJobRecord['turns']>().notNull(),
    pullRequest: jsonb('pull_request').$type<AgentJobRecord['pullRequest']>(),
    createdAt: instant('created_at').notNull(),
    archivedAt: instant('archived_at'),
    branchRemoved: boolean('branch_removed').notNull().default(false),
    changedAt: instant('changed_at').notNull(),
    waitingSince: instant('waiting_since'),
    attemptId: uuid('attempt_id'),
    losses: smallint('losses').notNull().default(0),
    queuedAt: instant('queued_at'),
  },
  (t) => [
    index('agent_jobs_project').on(t.projectId, t.createdAt, t.seq),
    index('agent_jobs_project_changes').on(t.projectId, t.changedAt),
    index('agent_jobs_changes').on(t.changedAt),
    index('agent_jobs_ended')
      .on(t.changedAt)
      .where(sql`status in ('completed', 'failed')`),
    index('agent_jobs_active')
      .on(t.queuedAt)
      .where(sql`status = 'active'`),
    index('agent_jobs_waiting')
      .on(t.projectId, t.waitingSince, t.seq)
      .where(sql`waiting_since is not null`),
    index('agent_jobs_untidy')
      .on(t.archivedAt)
      .where(sql`status = 'archived' and not branch_removed`),
    // Only one job per project runs at a time, whatever the queue hands out.
    uniqueIndex('agent_jobs_at_work')
      .on(t.projectId)
      .where(sql`attempt_id is not null`),
  ],
)

/** Output of agent jobs, in pieces that follow each other. Offsets are UTF-8 bytes since the beginning. */
export const agentJobOutput = embedded.table(
  'agent_job_output',
  {
    jobId: text('job_id')
      .notNull()
      .references(() => agentJobs.id, { onDelete: 'cascade' }),
    startAt: bigint('start_at', { mode: 'number' }).notNull(),
    endAt: bigint('end_at', { mode: 'number' }).notNull(),
    /** Whole characters. Bytes, because PostgreSQL's text has no NUL. */
    bytes: bytes('bytes').notNull(),
  },
  (t) => [primaryKey({ columns: [t.jobId, t.startAt] })],
)
