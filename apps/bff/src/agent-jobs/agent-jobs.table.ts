import { sql } from 'drizzle-orm'
import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { instant, watchColumns } from '#db/watch-columns.ts'

/** Followed agent jobs: the last good snapshot of each (Admin API §2.1) and when Docket saw what. */
export const agentJobs = pgTable(
  'agent_jobs',
  {
    projectId: text('project_id').notNull(),
    id: text('id').notNull(),
    status: text('status'),
    repository: text('repository'),
    ref: text('ref'),
    model: text('model'),
    prLink: text('pr_link'),
    createdAt: instant('created_at'),
    archivedAt: instant('archived_at'),
    followedAt: instant('followed_at').notNull(),
    /** First time it was seen finished; cleared when it becomes active again. */
    finishedAt: instant('finished_at'),
    goneAt: instant('gone_at'),
    ...watchColumns,
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.id] }),
    index('agent_jobs_list')
      .on(t.followedAt.desc().nullsFirst(), t.projectId, t.id)
      .where(sql`${t.removedAt} is null`),
    index('agent_jobs_due')
      .on(t.nextCheckAt)
      .where(sql`${t.nextCheckAt} is not null`),
  ],
)
