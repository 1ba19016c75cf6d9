import type { AgentJobGroup, AgentUsage, PullRequestState } from '@docket/api-types/agent-jobs'
import type { DiffStat } from '@docket/api-types/changes'
import { sql, type SQL } from 'drizzle-orm'
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text, type PgColumn } from 'drizzle-orm/pg-core'
import type { PullRequestChecks } from '#service/admin-api/admin-api.ts'
import { connectionColumn } from '#ground/db/connections.table.ts'
import { attentionColumns, needsAttention, noteColumns } from '#ground/db/attention.ts'
import { instant, watchColumns } from '#ground/db/watch-columns.ts'
import { splitSearchTerms } from '#ground/db/search.ts'

const group = sql`case
  when gone_at is not null then 'gone'
  when status = 'failed' then case when error = 'cancelled' then 'cancelled' else 'failed' end
  when status = 'archived' then status
  when status = 'completed' then case
    when pr_link is null then 'no_pull_request'
    when pull_request_state in ('merged', 'closed') then pull_request_state
    else 'pull_request_ready' end
  else 'working' end`

/** A failed or missing job needs attention from its end. A pull request to review is work, not trouble. */
const troubledAt = sql`case
  when gone_at is not null then coalesce(finished_at, gone_at)
  when status = 'failed' and error is distinct from 'cancelled' then coalesce(finished_at, followed_at) end`

/** A pull request may still appear after this time. Null for other jobs, and for a job that ended long before Docket saw it. */
const awaitedSince = sql`case
  when status = 'completed' and pr_link is null and gone_at is null
    and (created_at is null or finished_at - created_at <= interval '25 hours') then finished_at end`

const searchable = ['title', 'prompts', 'projectId', 'id', 'repository', 'ref', 'model', 'pullRequestTitle'] as const

/** Only the beginning of a reason and of a report is searchable. */
export const searchableJob = (t: Record<(typeof searchable)[number] | 'error' | 'report', SQL | PgColumn>): SQL =>
  splitSearchTerms([
    ...searchable.map((name) => t[name]),
    ...[t.error, t.report].map((text) => sql`left(${text}, 2000)`),
  ])

/** Fields that a service sends beyond Admin API §2.1. */
const storyColumns = {
  /** True when the last answer had at least one of these fields. */
  isDetailed: boolean('is_detailed').notNull().default(false),
  isWaiting: boolean('is_waiting').notNull().default(false),
  queuePosition: integer('queue_position'),
  startedAt: instant('started_at'),
  lastLine: text('last_line'),
  error: text('error'),
  report: text('report'),
  diffStat: jsonb('diff_stat').$type<DiffStat>(),
  usage: jsonb('usage').$type<AgentUsage>(),
}

const pullRequestColumns = {
  pullRequestNumber: integer('pull_request_number'),
  pullRequestTitle: text('pull_request_title'),
  pullRequestState: text('pull_request_state').$type<PullRequestState>(),
  pullRequestChecks: text('pull_request_checks').$type<PullRequestChecks>(),
  pullRequestMergeable: boolean('pull_request_mergeable'),
  /** Source of the state: the service's answer, the code host, or a person. */
  pullRequestKnownFrom: text('pull_request_known_from').$type<'service' | 'code_host' | 'person'>(),
  /** When the code host was read, or when a person marked the state. */
  pullRequestCheckedAt: instant('pull_request_checked_at'),
}

/** A code host may have newer data about these pull requests. A state from the service is final. */
export const hasReadPullRequest = sql`removed_at is null and pull_request_known_from is distinct from 'service'
  and (list_group = 'pull_request_ready' or (list_group in ('merged', 'closed') and pull_request_known_from = 'person'))`

/** Each row has the last successful snapshot of a job (Admin API §2.1) and the times of Docket's reads. */
export const agentJobs = pgTable(
  'agent_jobs',
  {
    connectionId: connectionColumn(),
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
    /** First time Docket saw the job finished. Cleared when the job becomes active again. */
    finishedAt: instant('finished_at'),
    /** Time until completion in milliseconds. Null before completion, and when Docket did not observe the end. */
    tookMs: bigint('took_ms', { mode: 'number' }),
    goneAt: instant('gone_at'),
    /** First line of the prompt that created it; else the service's title, that of the pull request, or the first follow-up's first line. */
    title: text('title'),
    /** The person or token that sent the first prompt. */
    askedBy: text('asked_by'),
    /** Shortened, for the search. Only prompts that the service accepted are included. */
    prompts: text('prompts'),
    ...storyColumns,
    ...pullRequestColumns,
    ...watchColumns,
    ...attentionColumns,
    ...noteColumns,
    /** The database computes `group`, `troubledAt` and `awaitedSince`. */
    group: text('list_group').$type<AgentJobGroup>().notNull().generatedAlwaysAs(group),
    troubledAt: instant('troubled_at').generatedAlwaysAs(troubledAt),
    awaitedSince: instant('awaited_since').generatedAlwaysAs(awaitedSince),
  },
  (t) => [
    primaryKey({ columns: [t.connectionId, t.projectId, t.id] }),
    index('agent_jobs_list')
      .on(t.followedAt.desc().nullsFirst(), t.projectId, t.id)
      .where(sql`${t.removedAt} is null`),
    index('agent_jobs_group')
      .on(t.group, t.followedAt.desc().nullsFirst(), t.projectId, t.id)
      .where(sql`${t.removedAt} is null`),
    index('agent_jobs_repository')
      .on(t.repository, t.followedAt.desc().nullsFirst(), t.projectId, t.id)
      .where(sql`${t.removedAt} is null`),
    index('agent_jobs_model')
      .on(t.model, t.followedAt.desc().nullsFirst(), t.projectId, t.id)
      .where(sql`${t.removedAt} is null`),
    index('agent_jobs_group_repository')
      .on(t.group, t.repository, t.followedAt.desc().nullsFirst(), t.projectId, t.id)
      .where(sql`${t.removedAt} is null`),
    index('agent_jobs_group_model')
      .on(t.group, t.model, t.followedAt.desc().nullsFirst(), t.projectId, t.id)
      .where(sql`${t.removedAt} is null`),
    index('agent_jobs_project')
      .on(t.projectId, t.followedAt.desc().nullsFirst(), t.id)
      .where(sql`${t.removedAt} is null`),
    index('agent_jobs_connection')
      .on(t.connectionId, t.followedAt.desc().nullsFirst(), t.projectId, t.id)
      .where(sql`${t.removedAt} is null`),
    index('agent_jobs_attention')
      .on(t.followedAt.desc().nullsFirst(), t.projectId, t.id)
      .where(sql`${t.removedAt} is null and ${needsAttention(t)}`),
    index('agent_jobs_search')
      .using('gin', searchableJob(t))
      // With GIN fast updates, every search would scan the latest changes one by one.
      .with({ fastupdate: false })
      .where(sql`${t.removedAt} is null`),
    index('agent_jobs_changing')
      .on(t.connectionId, t.changingSince, t.viewedUntil)
      .where(
        sql`${t.nextCheckAt} is not null and (${t.finishedAt} is null or ${t.awaitedSince} is not null)
          and ${t.goneAt} is null and ${t.removedAt} is null`,
      ),
    index('agent_jobs_endings')
      .on(t.finishedAt.desc().nullsFirst())
      .where(sql`${t.unfinishedAt} is not null and ${t.finishedAt} is not null`),
    index('agent_jobs_took')
      .on(t.repository, t.finishedAt.desc().nullsFirst(), t.tookMs)
      .where(sql`${t.tookMs} is not null`),
    index('agent_jobs_took_any')
      .on(t.finishedAt.desc().nullsFirst(), t.tookMs)
      .where(sql`${t.tookMs} is not null`),
    index('agent_jobs_pull_requests').on(t.connectionId).where(hasReadPullRequest),
    index('agent_jobs_removed')
      .on(t.removedAt)
      .where(sql`${t.removedAt} is not null`),
    index('agent_jobs_due')
      .on(t.connectionId, t.nextCheckAt)
      .where(sql`${t.nextCheckAt} is not null`),
  ],
)
