import {
  AgentJob,
  AgentJobFilters,
  AgentJobKey,
  AgentJobChecks,
  AgentJobList,
  AgentJobListQuery,
  FollowAgentJobs,
  FollowAgentJobsResult,
} from '@docket/api-types/agent-jobs'
import { History } from '@docket/api-types/history'
import { createRoute } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { AgentJobService } from '#agent-jobs/agent-jobs.service.ts'
import { answers, answersNothing, apiRoutes, conditionalAnswers, jsonBody } from '#http/api-routes.ts'
import type { AppEnv } from '#http/app-env.ts'
import type { ConditionalGet } from '#http/conditional-get/conditional-get.ts'
import { coalesce } from '#http/conditional-get/coalesce.ts'
import { reachOf, type Reach } from '#http/access/reach.ts'
import { send, sendNothing } from '#http/send.ts'
import type { RecordName } from '#polling/viewers.ts'

const ofOneJob = { path: '/{projectId}/{id}', request: { params: AgentJobKey } } as const

const list = createRoute({
  method: 'get',
  path: '/',
  summary: 'Followed agent jobs, filtered and sorted, in pages',
  request: { query: AgentJobListQuery },
  responses: conditionalAnswers(AgentJobList, 'A page of jobs.'),
})
const checks = createRoute({
  method: 'get',
  path: '/checks',
  summary: 'When the jobs on a page of the list were and will be checked; the query is that of the page',
  request: { query: AgentJobListQuery },
  responses: conditionalAnswers(AgentJobChecks, 'The checks, in the order of the page.'),
})
const filters = createRoute({
  method: 'get',
  path: '/filters',
  summary: 'What the list of agent jobs can be filtered by',
  responses: conditionalAnswers(AgentJobFilters, 'Values to suggest.'),
})
const follow = createRoute({
  method: 'post',
  path: '/',
  summary: 'Follow agent jobs; each is read once from the Admin API first',
  request: jsonBody(FollowAgentJobs),
  responses: answers(FollowAgentJobsResult, 'What became of each, in the order asked.'),
})
const read = createRoute({
  method: 'get',
  ...ofOneJob,
  summary: 'One followed agent job',
  responses: conditionalAnswers(AgentJob, 'Its last known state.'),
})
const history = createRoute({
  method: 'get',
  path: `${ofOneJob.path}/history`,
  request: ofOneJob.request,
  summary: 'What happened to an agent job, as far as it was observed',
  responses: conditionalAnswers(History, 'The latest events, oldest first.'),
})
const remove = createRoute({
  method: 'delete',
  ...ofOneJob,
  summary: 'Stop following an agent job',
  responses: answersNothing('It is no longer followed; `restore` takes this back.'),
})
const restore = createRoute({
  method: 'post',
  path: `${ofOneJob.path}/restore`,
  request: ofOneJob.request,
  summary: 'Follow an agent job again after it was removed, without asking the Admin API',
  responses: answers(AgentJob, 'Its last known state.'),
})
const check = createRoute({
  method: 'post',
  path: `${ofOneJob.path}/check`,
  request: ofOneJob.request,
  summary: 'Read an agent job from the Admin API now',
  responses: answers(AgentJob, 'Its state now; `checkFailure` says when the read failed.'),
})

const isChanging = ({ meaning }: Pick<AgentJob, 'meaning'>) => meaning === 'working' || meaning === 'unrecognised'

/** How long jobs usually take is known from jobs of every project. */
const shownWithin = <Job extends Pick<AgentJob, 'usual'>>({ projectIds }: Reach, job: Job): Job =>
  projectIds === null ? job : { ...job, usual: null }

const shown = (c: Context<AppEnv>, job: AgentJob) => send(c, AgentJob, shownWithin(reachOf(c.var.identity), job))

/**
 * `/api/agent-jobs`: follow agent jobs and read their last known state. Ids are percent-encoded path segments.
 * `onView` hears which changing ones a reader polls.
 */
export const agentJobRoutes = (
  agentJobs: AgentJobService,
  polled: ConditionalGet,
  onView: (names: readonly RecordName[]) => void,
) => {
  const current = coalesce(agentJobs.current)
  return apiRoutes()
    .openapi(list, (c) =>
      polled.send(c, {
        current,
        schema: AgentJobList,
        make: async (reach) => {
          const { list, until } = await agentJobs.list(c.req.valid('query'), reach)
          const value = { ...list, items: list.items.map((job) => shownWithin(reach, job)) }
          const names = value.items.filter(isChanging).map(({ projectId, id }) => [projectId, id])
          return { value, until, onPoll: () => onView(names) }
        },
      }),
    )
    .openapi(checks, (c) =>
      polled.send(c, {
        schema: AgentJobChecks,
        make: async (reach) => ({ value: await agentJobs.checks(c.req.valid('query'), reach) }),
      }),
    )
    .openapi(filters, (c) =>
      polled.send(c, {
        current,
        schema: AgentJobFilters,
        make: async (reach) => ({ value: await agentJobs.filters(reach) }),
      }),
    )
    .openapi(follow, async (c) => {
      const reach = reachOf(c.var.identity)
      const { results } = await agentJobs.follow(c.req.valid('json').jobs, c.var.actor, reach)
      const shown = results.map(({ job, ...result }) => ({ ...result, job: job && shownWithin(reach, job) }))
      return send(c, FollowAgentJobsResult, { results: shown })
    })
    .openapi(read, (c) =>
      polled.send(c, {
        schema: AgentJob,
        make: async (reach) => {
          const value = shownWithin(reach, await agentJobs.get(c.req.valid('param')))
          return isChanging(value) ? { value, onPoll: () => onView([[value.projectId, value.id]]) } : { value }
        },
      }),
    )
    .openapi(history, (c) => {
      const { current: named, read: make } = agentJobs.history(c.req.valid('param'))
      return polled.send(c, { current: named, schema: History, make })
    })
    .openapi(remove, async (c) => {
      await agentJobs.remove(c.req.valid('param'), c.var.actor)
      return sendNothing(c)
    })
    .openapi(restore, async (c) => shown(c, await agentJobs.restore(c.req.valid('param'), c.var.actor)))
    .openapi(check, async (c) => shown(c, await agentJobs.check(c.req.valid('param'), c.var.actor)))
}
