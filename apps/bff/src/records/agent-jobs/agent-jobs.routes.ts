import type { AgentJob, AgentJobKey } from '@docket/api-types/agent-jobs'
import type { JobsCtx } from '#records/agent-jobs/jobs-ctx.ts'
import { archiveJob, cancelJob } from './actions/act-on-job.ts'
import { checkJob } from './agent-jobs.watcher.ts'
import { followJobs, listServiceJobs } from './follow-jobs.ts'
import { dismissJob, noteJob, treatJobStatus, undoDismissal } from './mark-job.ts'
import { markPullRequest } from './pull-request.ts'
import {
  getJob,
  openJobHistory,
  listAllJobs,
  listJobChecks,
  listJobFilters,
  listJobs,
  readJobChanges,
  readJobLog,
} from './read-jobs.ts'
import { removeJob, restoreJob } from './remove-job.ts'
import type { ConditionalGet } from '#ground/http/conditional-get/conditional-get.ts'
import type { TokenScope } from '#ground/http/access/token-scope.ts'
import { recordRoutes, type RecordRequest } from '#records/record-routes.ts'
import type { RecordName } from '#service/polling/viewers.ts'
import type { RequestedJob } from './agent-jobs.rows.ts'
import type { CsvColumns } from '#ground/http/csv.ts'

/** A pull request is included only if its link is safe to follow. */
const jobColumns: CsvColumns<AgentJob> = {
  followed_at: (job) => job.followedAt,
  project_id: (job) => job.projectId,
  id: (job) => job.id,
  title: (job) => job.title ?? null,
  asked_by: (job) => job.askedBy ?? null,
  state: (job) => job.meaning,
  service_status: (job) => job.status,
  summary: (job) => job.summary ?? null,
  repository: (job) => job.source.repository?.text ?? null,
  branch: (job) => job.source.ref,
  model: (job) => job.model,
  // The text of a link to a page of Docket is its full address.
  pull_request: ({ prLink }) => (prLink?.href?.startsWith('/') ? prLink.text : (prLink?.href ?? null)),
  pull_request_state: (job) => job.pullRequest?.state ?? null,
  files_changed: (job) => job.diffStat?.files ?? null,
  lines_added: (job) => job.diffStat?.added ?? null,
  lines_removed: (job) => job.diffStat?.removed ?? null,
  created_at: (job) => job.createdAt,
  finished_at: (job) => job.finishedAt,
  archived_at: (job) => job.archivedAt,
  removed_at: (job) => job.removedAt ?? null,
  connection_id: (job) => job.connectionId ?? null,
}

const toRecordName = ({
  connectionId = '',
  projectId,
  id,
}: Pick<AgentJob, 'connectionId' | 'projectId' | 'id'>): RecordName => [connectionId, projectId, id]

const isJobChanging = ({ meaning, removedAt }: Pick<AgentJob, 'meaning' | 'removedAt'>) =>
  !removedAt && ['waiting', 'working', 'finishing', 'unrecognised'].includes(meaning)

export const toJobKey = ({ params, query, located }: RecordRequest<keyof AgentJobKey>) => ({
  ...params,
  ...query,
  ...located,
})

/** The usual duration includes jobs of all projects, so only callers who may see all projects get it. */
export const withoutForeignUsual = <Job extends Pick<AgentJob, 'usual'>>({ projectIds }: TokenScope, job: Job): Job =>
  projectIds === null ? job : { ...job, usual: null }

/** Ids are percent-encoded path segments. Calls `onView` with the changing jobs of each poll. */
export const agentJobRoutes = (ctx: JobsCtx, polled: ConditionalGet, onView: (names: readonly RecordName[]) => void) =>
  recordRoutes<JobsCtx, RequestedJob, AgentJob>(
    ctx,
    {
      name: 'agent_jobs',
      list: '/api/agent-jobs',
      one: '/api/agent-jobs/{projectId}/{id}',
      verbs: {
        list: listJobs,
        listAll: listAllJobs,
        listChecks: listJobChecks,
        listFilters: listJobFilters,
        get: getJob,
        history: openJobHistory,
        remove: removeJob,
        restore: restoreJob,
        dismiss: dismissJob,
        undoDismissal,
        note: noteJob,
        check: checkJob,
        cancel: cancelJob,
        treat: treatJobStatus,
      },
      toKey: toJobKey,
      show: withoutForeignUsual,
      isChanging: isJobChanging,
      toName: toRecordName,
      file: { what: 'agent-jobs', columns: jobColumns },
    },
    polled,
    onView,
  )
    .serve('POST /api/agent-jobs', async ({ body, by, scope }) => {
      const { results } = await followJobs(ctx, body, by, scope)
      return {
        results: results.map(({ job, ...result }) => ({ ...result, job: job && withoutForeignUsual(scope, job) })),
      }
    })
    .serve('GET /api/agent-jobs/listed', ({ query, scope }) => listServiceJobs(ctx, query, scope))
    .serve('GET /api/agent-jobs/{projectId}/{id}/log', (job) => readJobLog(ctx, toJobKey(job), job.query.offset))
    .serve('GET /api/agent-jobs/{projectId}/{id}/changes', (job) => readJobChanges(ctx, toJobKey(job)))
    .serve('POST /api/agent-jobs/{projectId}/{id}/archive', async (job) =>
      withoutForeignUsual(job.scope, await archiveJob(ctx, toJobKey(job), job.by)),
    )
    .serve('POST /api/agent-jobs/{projectId}/{id}/pull-request', async (job) =>
      withoutForeignUsual(job.scope, await markPullRequest(ctx, toJobKey(job), { state: job.body.state, by: job.by })),
    )
