import type { AgentJob, AgentJobKey } from '@docket/api-types/agent-jobs'
import type { Context } from 'hono'
import type { AgentJobService } from '#records/agent-jobs/agent-jobs.service.ts'
import { z } from '@hono/zod-openapi'
import { apiRoute, apiRoutes, failure, polledRoute } from '#ground/http/api-routes.ts'
import { pickLocated, type AppEnv } from '#ground/http/app-env.ts'
import { streamFile, toCsv } from '#ground/http/csv.ts'
import type { ConditionalGet } from '#ground/http/conditional-get/conditional-get.ts'
import { coalesce } from '#ground/http/conditional-get/coalesce.ts'
import { narrowScope, readScope, type TokenScope } from '#ground/http/access/token-scope.ts'
import type { RecordName } from '#service/polling/viewers.ts'
import { jobColumns } from './agent-jobs.csv.ts'

const list = polledRoute('/api/agent-jobs', {
  summary: 'Followed agent jobs, filtered and sorted, in pages',
  answer: 'A page of jobs.',
})
const checks = polledRoute('/api/agent-jobs/checks', {
  summary: 'When the jobs on a page of the list were and will be checked; the query is that of the page',
  answer: 'The checks, in the order of the page.',
})
const csv = apiRoute('GET', '/api/agent-jobs/export.csv', {
  summary: 'All agent jobs that match the filters of the list, as CSV',
  responses: {
    200: {
      description: 'The file, in the order of the list.',
      content: { 'text/csv': { schema: z.string() } },
    },
    ...failure,
  },
})
const filters = polledRoute('/api/agent-jobs/filters', {
  summary: 'What the list of agent jobs can be filtered by',
  answer: 'Values to suggest.',
})
const follow = apiRoute('POST', '/api/agent-jobs', {
  summary: 'Follow agent jobs; each is read once from the Admin API first',
  answer: 'What became of each, in the order asked.',
})
const listed = apiRoute('GET', '/api/agent-jobs/listed', {
  summary: 'The jobs of a project as the service itself lists them, where an admin switched that on; makes one call',
  answer: 'A page of jobs, in the order of the service.',
})
const read = polledRoute('/api/agent-jobs/{projectId}/{id}', {
  summary: 'One followed agent job',
  answer: 'Its last known state.',
})
const history = polledRoute('/api/agent-jobs/{projectId}/{id}/history', {
  summary: 'What happened to an agent job, as far as it was observed',
  answer: 'The latest events, oldest first.',
})
const remove = apiRoute('DELETE', '/api/agent-jobs/{projectId}/{id}', {
  summary: 'Stop following an agent job',
  answer: 'It is no longer followed; `restore` takes this back.',
})
const restore = apiRoute('POST', '/api/agent-jobs/{projectId}/{id}/restore', {
  summary: 'Follow an agent job again after it was removed, without asking the Admin API',
  answer: 'Its last known state.',
})
const dismiss = apiRoute('POST', '/api/agent-jobs/{projectId}/{id}/dismiss', {
  summary: 'Say that an agent job needs no attention',
  answer: 'The job; its state stays.',
})
const undoDismissal = apiRoute('DELETE', '/api/agent-jobs/{projectId}/{id}/dismiss', {
  summary: 'Undo a dismissal',
  answer: 'The job; it needs attention again.',
})
const note = apiRoute('PATCH', '/api/agent-jobs/{projectId}/{id}', {
  summary: 'Change the note of an agent job',
  answer: 'The job.',
})
const check = apiRoute('POST', '/api/agent-jobs/{projectId}/{id}/check', {
  summary: 'Read an agent job from the Admin API now',
  answer: 'Its state now; `checkFailure` says when the read failed.',
})

const log = apiRoute('GET', '/api/agent-jobs/{projectId}/{id}/log', {
  summary: 'What the agent printed, in parts; makes one call, at the embedded service only',
  answer: 'The part from the offset on.',
})
const changes = apiRoute('GET', '/api/agent-jobs/{projectId}/{id}/changes', {
  summary: 'The commits and the diff of an agent job of the embedded service',
  answer: 'What the branch of the job changes.',
})
const cancel = apiRoute('POST', '/api/agent-jobs/{projectId}/{id}/cancel', {
  summary: 'Cancel a waiting or working agent job, where the service can; `actions` of the job says why it can’t',
  answer: 'The job.',
})
const archive = apiRoute('POST', '/api/agent-jobs/{projectId}/{id}/archive', {
  summary: 'Archive an agent job at the service, where that is possible',
  answer: 'The job.',
})
const markPullRequest = apiRoute('POST', '/api/agent-jobs/{projectId}/{id}/pull-request', {
  summary: 'Say what became of the pull request of an agent job, where neither the service nor the code host tells it',
  answer: 'The job.',
})

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
    .poll(list, polled, (c) => ({
      current,
      read: async (scope) => {
        const { list, until } = await agentJobs.list(c.req.valid('query'), scope)
        const value = { ...list, items: list.items.map((job) => withoutForeignUsual(scope, job)) }
        const names = value.items.filter(isChanging).map(toName)
        return { value, until, onPoll: () => onView(names) }
      },
    }))
    .poll(checks, polled, (c) => ({
      read: async (scope) => ({ value: await agentJobs.checks(c.req.valid('query'), scope) }),
    }))
    .serve(csv, async (c) => {
      const { now, pieces } = await agentJobs.export(c.req.valid('query'), readScope(c.var.identity))
      return streamFile(c, { what: 'agent-jobs', ending: 'csv', now, texts: toCsv(jobColumns, pieces) })
    })
    .poll(filters, polled, (c) => ({
      current,
      read: async (scope) => ({ value: await agentJobs.filters(narrowScope(scope, c.req.valid('query'))) }),
    }))
    .serve(follow, async (c) => {
      const scope = readScope(c.var.identity)
      const { results } = await agentJobs.follow(c.req.valid('json'), c.var.actor, scope)
      return {
        results: results.map(({ job, ...result }) => ({ ...result, job: job && withoutForeignUsual(scope, job) })),
      }
    })
    .serve(listed, (c) => agentJobs.listed(c.req.valid('query'), readScope(c.var.identity)))
    .poll(read, polled, (c) => ({
      read: async (scope) => {
        const value = withoutForeignUsual(
          scope,
          await agentJobs.get({ ...c.req.valid('param'), ...c.req.valid('query'), ...pickLocated(c) }),
        )
        return isChanging(value) ? { value, onPoll: () => onView([toName(value)]) } : { value }
      },
    }))
    .poll(history, polled, (c) =>
      agentJobs.history({ ...c.req.valid('param'), ...c.req.valid('query'), ...pickLocated(c) }),
    )
    .serve(remove, (c) =>
      agentJobs.remove({ ...c.req.valid('param'), ...c.req.valid('query'), ...pickLocated(c) }, c.var.actor),
    )
    .serve(restore, async (c) =>
      hideUsual(
        c,
        await agentJobs.restore({ ...c.req.valid('param'), ...c.req.valid('query'), ...pickLocated(c) }, c.var.actor),
      ),
    )
    .serve(dismiss, async (c) => hideUsual(c, await agentJobs.dismiss(toJob(c), c.var.actor)))
    .serve(undoDismissal, async (c) => hideUsual(c, await agentJobs.undoDismissal(toJob(c), c.var.actor)))
    .serve(note, async (c) =>
      hideUsual(c, await agentJobs.note(toJob(c), { note: c.req.valid('json').note, by: c.var.actor })),
    )
    .serve(log, (c) => agentJobs.log(toJob(c), c.req.valid('query').offset))
    .serve(changes, (c) => agentJobs.changes(toJob(c)))
    .serve(cancel, async (c) => hideUsual(c, await agentJobs.act(toJob(c), 'cancel', c.var.actor)))
    .serve(archive, async (c) => hideUsual(c, await agentJobs.act(toJob(c), 'archive', c.var.actor)))
    .serve(markPullRequest, async (c) =>
      hideUsual(c, await agentJobs.markPullRequest(toJob(c), { state: c.req.valid('json').state, by: c.var.actor })),
    )
    .serve(check, async (c) =>
      hideUsual(
        c,
        await agentJobs.check({ ...c.req.valid('param'), ...c.req.valid('query'), ...pickLocated(c) }, c.var.actor),
      ),
    )
}
