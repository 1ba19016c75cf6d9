import {
  AgentJob,
  AgentJobFilters,
  AgentJobKey,
  AgentJobList,
  AgentJobListQuery,
  FollowAgentJobs,
  FollowAgentJobsResult,
} from '@docket/api-types/agent-jobs'
import { createRoute } from '@hono/zod-openapi'
import type { AgentJobService } from '#agent-jobs/agent-jobs.service.ts'
import { answers, answersNothing, apiRoutes, conditionalAnswers, jsonBody } from '#http/api-routes.ts'
import { conditional } from '#http/conditional.ts'
import { send, sendNothing } from '#http/send.ts'

const ofOneJob = { path: '/{projectId}/{id}', request: { params: AgentJobKey } } as const

const list = createRoute({
  method: 'get',
  path: '/',
  summary: 'Followed agent jobs, filtered and sorted, in pages',
  request: { query: AgentJobListQuery },
  responses: conditionalAnswers(AgentJobList, 'A page of jobs.'),
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
  responses: answers(AgentJob, 'Its last known state.'),
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

/** `/api/agent-jobs`: follow agent jobs and read their last known state. Ids are percent-encoded path segments. */
export const agentJobRoutes = (agentJobs: AgentJobService) =>
  apiRoutes()
    .openapi(list, async (c) => {
      const current = await agentJobs.current()
      return conditional(c, current, async () => {
        const { list: page, until } = await agentJobs.list(c.req.valid('query'))
        return { response: send(c, AgentJobList, page), until }
      })
    })
    .openapi(filters, async (c) =>
      conditional(c, await agentJobs.current(), async () => ({
        response: send(c, AgentJobFilters, await agentJobs.filters()),
        until: null,
      })),
    )
    .openapi(follow, async (c) => send(c, FollowAgentJobsResult, await agentJobs.follow(c.req.valid('json').jobs)))
    .openapi(read, async (c) => send(c, AgentJob, await agentJobs.get(c.req.valid('param'))))
    .openapi(remove, async (c) => {
      await agentJobs.remove(c.req.valid('param'))
      return sendNothing(c)
    })
    .openapi(restore, async (c) => send(c, AgentJob, await agentJobs.restore(c.req.valid('param'))))
    .openapi(check, async (c) => send(c, AgentJob, await agentJobs.check(c.req.valid('param'))))
