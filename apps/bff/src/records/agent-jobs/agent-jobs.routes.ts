import type { AgentJob, AgentJobKey } from '@docket/api-types/agent-jobs'
import type { Context } from 'hono'
import type { AgentJobService } from '#records/agent-jobs/agent-jobs.service.ts'
import { apiRoutes } from '#ground/http/api-routes.ts'
import { pickLocated, type AppEnv } from '#ground/http/app-env.ts'
import { streamFile, toCsv } from '#ground/http/csv.ts'
import type { ConditionalGet } from '#ground/http/conditional-get/conditional-get.ts'
import { coalesce } from '#ground/http/conditional-get/coalesce.ts'
import { narrowScope, readScope, type TokenScope } from '#ground/http/access/token-scope.ts'
import type { RecordName } from '#service/polling/viewers.ts'
import { jobColumns } from './agent-jobs.csv.ts'

const toName = ({
  connectionId = '',
  projectId,
  id,
}: Pick<AgentJob, 'connectionId' | 'projectId' | 'id'>): RecordName => [connectionId, projectId, id]

const isChanging = ({ meaning, removedAt }: Pick<AgentJob, 'meaning' | 'removedAt'>) =>
  !removedAt && ['waiting', 'working', 'finishing', 'unrecognised'].includes(meaning)

type JobContext = Context<AppEnv, string, { out: { param: AgentJobKey; query: { connection?: string | undefined } } }>

const toJob = (c: JobContext) => ({ ...c.req.valid('param'), ...c.req.valid('query'), ...pickLocated(c) })

/** The usual duration covers jobs of every project. */
const withoutForeignUsual = <Job extends Pick<AgentJob, 'usual'>>({ projectIds }: TokenScope, job: Job): Job =>
  projectIds === null ? job : { ...job, usual: null }

const hideUsual = (c: Context<AppEnv>, job: AgentJob) => withoutForeignUsual(readScope(c.var.identity), job)

/**
 * `/api/agent-jobs`: follow agent jobs and read their last known state. Ids are percent-encoded path segments. Calls
 * `onView` with the changing jobs of each poll.
 */
export const agentJobRoutes = (
  agentJobs: AgentJobService,
  polled: ConditionalGet,
  onView: (names: readonly RecordName[]) => void,
) => {
  const current = coalesce(agentJobs.current)
  return apiRoutes()
    .poll('GET /api/agent-jobs', polled, (c) => ({
      current,
      read: async (scope) => {
        const { list, until } = await agentJobs.list(c.req.valid('query'), scope)
        const value = { ...list, items: list.items.map((job) => withoutForeignUsual(scope, job)) }
        const names = value.items.filter(isChanging).map(toName)
        return { value, until, onPoll: () => onView(names) }
      },
    }))
    .poll('GET /api/agent-jobs/checks', polled, (c) => ({
      read: async (scope) => ({ value: await agentJobs.checks(c.req.valid('query'), scope) }),
    }))
    .serve('GET /api/agent-jobs/export.csv', async (c) => {
      const { now, pieces } = await agentJobs.export(c.req.valid('query'), readScope(c.var.identity))
      return streamFile(c, { what: 'agent-jobs', ending: 'csv', now, texts: toCsv(jobColumns, pieces) })
    })
    .poll('GET /api/agent-jobs/filters', polled, (c) => ({
      current,
      read: async (scope) => ({ value: await agentJobs.filters(narrowScope(scope, c.req.valid('query'))) }),
    }))
    .serve('POST /api/agent-jobs', async (c) => {
      const scope = readScope(c.var.identity)
      const { results } = await agentJobs.follow(c.req.valid('json'), c.var.actor, scope)
      return {
        results: results.map(({ job, ...result }) => ({ ...result, job: job && withoutForeignUsual(scope, job) })),
      }
    })
    .serve('GET /api/agent-jobs/listed', (c) => agentJobs.listed(c.req.valid('query'), readScope(c.var.identity)))
    .poll('GET /api/agent-jobs/{projectId}/{id}', polled, (c) => ({
      read: async (scope) => {
        const value = withoutForeignUsual(
          scope,
          await agentJobs.get({ ...c.req.valid('param'), ...c.req.valid('query'), ...pickLocated(c) }),
        )
        return isChanging(value) ? { value, onPoll: () => onView([toName(value)]) } : { value }
      },
    }))
    .poll('GET /api/agent-jobs/{projectId}/{id}/history', polled, (c) =>
      agentJobs.history({ ...c.req.valid('param'), ...c.req.valid('query'), ...pickLocated(c) }),
    )
    .serve('DELETE /api/agent-jobs/{projectId}/{id}', (c) =>
      agentJobs.remove({ ...c.req.valid('param'), ...c.req.valid('query'), ...pickLocated(c) }, c.var.actor),
    )
    .serve('POST /api/agent-jobs/{projectId}/{id}/restore', async (c) =>
      hideUsual(
        c,
        await agentJobs.restore({ ...c.req.valid('param'), ...c.req.valid('query'), ...pickLocated(c) }, c.var.actor),
      ),
    )
    .serve('POST /api/agent-jobs/{projectId}/{id}/dismiss', async (c) =>
      hideUsual(c, await agentJobs.dismiss(toJob(c), c.var.actor)),
    )
    .serve('DELETE /api/agent-jobs/{projectId}/{id}/dismiss', async (c) =>
      hideUsual(c, await agentJobs.undoDismissal(toJob(c), c.var.actor)),
    )
    .serve('PATCH /api/agent-jobs/{projectId}/{id}', async (c) =>
      hideUsual(c, await agentJobs.note(toJob(c), { note: c.req.valid('json').note, by: c.var.actor })),
    )
    .serve('GET /api/agent-jobs/{projectId}/{id}/log', (c) => agentJobs.log(toJob(c), c.req.valid('query').offset))
    .serve('GET /api/agent-jobs/{projectId}/{id}/changes', (c) => agentJobs.changes(toJob(c)))
    .serve('POST /api/agent-jobs/{projectId}/{id}/cancel', async (c) =>
      hideUsual(c, await agentJobs.act(toJob(c), 'cancel', c.var.actor)),
    )
    .serve('POST /api/agent-jobs/{projectId}/{id}/archive', async (c) =>
      hideUsual(c, await agentJobs.act(toJob(c), 'archive', c.var.actor)),
    )
    .serve('POST /api/agent-jobs/{projectId}/{id}/pull-request', async (c) =>
      hideUsual(c, await agentJobs.markPullRequest(toJob(c), { state: c.req.valid('json').state, by: c.var.actor })),
    )
    .serve('POST /api/agent-jobs/{projectId}/{id}/check', async (c) =>
      hideUsual(
        c,
        await agentJobs.check({ ...c.req.valid('param'), ...c.req.valid('query'), ...pickLocated(c) }, c.var.actor),
      ),
    )
}
