import type { AgentPromptState } from '@docket/api-types/agent-prompts'
import type { ErrorCode } from '@docket/api-types/api-error'
import type { MaintenanceOrder } from '@docket/api-types/maintenance-orders'
import { sql } from 'drizzle-orm'
import { index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { connectionColumn } from '#ground/db/connections.table.ts'
import { instant } from '#ground/db/watch-columns.ts'

/** The intent is written before the call. Of the other tables, only `agent_jobs` contains text of prompts: title and search. */
export const agentPrompts = pgTable(
  'agent_prompts',
  {
    /** The browser chooses it, so a repeated request finds the same row. */
    requestId: uuid('request_id').primaryKey(),
    connectionId: connectionColumn(),
    kind: text('kind').$type<'creation' | 'message'>().notNull(),
    projectId: text('project_id').notNull(),
    /** Null while a creation has no answer. */
    jobId: text('job_id'),
    prompt: text('prompt').notNull(),
    maintenance: jsonb('maintenance').$type<MaintenanceOrder>(),
    state: text('state').$type<AgentPromptState>().notNull(),
    reason: text('reason'),
    code: text('code').$type<ErrorCode>(),
    sentBy: text('sent_by').notNull(),
    sentAt: instant('sent_at').notNull(),
    answeredAt: instant('answered_at'),
    /** The process that makes the call, and the time after which no answer can arrive. */
    leaseOwner: text('lease_owner'),
    leaseUntil: instant('lease_until'),
    replacedBy: uuid('replaced_by'),
    /** Set when a person removes the prompt from the list; undo clears it. */
    forgottenAt: instant('forgotten_at'),
  },
  (t) => [
    index('agent_prompts_job').on(t.projectId, t.jobId, t.sentAt.desc().nullsFirst()),
    index('agent_prompts_open')
      .on(t.sentAt.desc().nullsFirst())
      .where(sql`${t.state} in ('sending', 'unknown')`),
  ],
)
