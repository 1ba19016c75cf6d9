import type { AgentJobKey } from '@docket/api-types/agent-jobs'
import type { Changes } from '@docket/api-types/changes'
import type { UpstreamLink } from '@docket/api-types/list'
import type { MaintenanceOrder } from '@docket/api-types/maintenance-orders'
import type { CallLimiter } from '#service/rate-limit/limiter.ts'
import type { JobAbilities } from '#records/agent-jobs/actions/job-actions.ts'
import type { jobDurations } from '#records/agent-jobs/agent-jobs.history.ts'
import type { JobKey } from '#records/agent-jobs/agent-jobs.rows.ts'
import type { AgentPromptRow } from '#records/agent-jobs/prompts/agent-prompts.state.ts'
import type { PromptOutcome } from '#records/agent-jobs/prompts/prompt-outcome.ts'
import type { AdminApi } from '#service/admin-api/admin-api.ts'
import type { callsAtMostOnce } from '#service/admin-api/at-most-once.ts'
import type { PerConnection } from '#service/connections/per-connection.ts'
import type { Retention } from '#service/history/retention.ts'
import type { Polling } from '#service/polling/polling.ts'
import type { createRecordWatcher } from '#service/polling/watcher.ts'
import type { Ctx } from '#ground/ctx.ts'
import type { Actor } from '#ground/identity/identity.ts'

export type JobsHere = {
  adminApi: AdminApi
  polling: Polling
  watcher: ReturnType<typeof createRecordWatcher>
  /** Resolves to false for a job that is not listed. */
  readNow: (key: JobKey, by: Actor | null) => Promise<boolean>
  /** Does nothing without a token for the code host. */
  readPullRequest: (key: AgentJobKey) => Promise<void>
  abilities: JobAbilities
  /** True when an admin switched on the service's own list of jobs. */
  listAllowed: boolean
}

/** Prompts have a budget of their own, separate from that of jobs. */
export type PromptsHere = {
  limiter: CallLimiter
  calls: ReturnType<typeof callsAtMostOnce<{ row: AgentPromptRow; by: Actor; outcome: PromptOutcome }>>
}

export type JobsCtx = Ctx & {
  connections: PerConnection<{ jobs: JobsHere; prompts: PromptsHere }>
  /** In days. */
  retentionDays: Retention
  jobDurations: ReturnType<typeof jobDurations>
  /** Null for an address that does not lead to the embedded repository of the project. */
  ownLink: (text: string, projectId: string) => UpstreamLink | null
  /** Null when the job has no changes. Undefined without an embedded service. */
  readChanges: ((projectId: string, id: string) => Promise<Changes | null>) | undefined
  /** False when the embedded service only does maintenance. */
  hasAgent: boolean
  /** Null without an embedded service, because no other service does maintenance. */
  describeOrder: ((order: MaintenanceOrder) => string) | null
}
