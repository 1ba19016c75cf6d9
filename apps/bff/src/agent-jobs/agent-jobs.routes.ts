import {
  AgentJob,
  AgentJobFilters,
  AgentJobKey,
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
import type { PolledAnswers } from '#http/polled/polled-answers.ts'
import { sharedReads } from '#http/polled/shared-reads.ts'
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

const isChanging = ({ meaning }: AgentJob) => meaning === 'working' || meaning === 'unrecognised'

/** How long jobs usually take is known from jobs of every project. */
const shownWithin = ({ projectIds }: Reach, job: AgentJob): AgentJob =>
  projectIds === null ? job : { ...job, usual: null }

const shown = (c: Context<AppEnv>, job: AgentJob) => send(c, AgentJob, shownWithin(reachOf(c.var.identity), job))

/**
 * `/api/agent-jobs`: follow agent jobs and read their last known state. Ids are percent-encoded path segments.
 * `onView` hears which changing ones a reader polls.
 */
export const agentJobRoutes = (
  agentJobs: AgentJobService,
  polled: PolledAnswers,
  onView: (names: readonly RecordName[]) => void,
) => {
  const current = sharedReads(agentJobs.current)
  return apiRoutes()
    .openapi(list, (c) =>
      polled.send(c, {
        current,
        schema: AgentJobList,
        keyOf: ({ projectId, id }) => JSON.stringify([projectId, id]),
        make: async (reach) => {
          const { list, until } = await agentJobs.list(c.req.valid('query'), reach)
          const value = { ...list, items: list.items.map((job) => shownWithin(reach, job)) }
          const names = value.items.filter(isChanging).map(({ projectId, id }) => [projectId, id])
          return { value, until, onPoll: () => onView(names) }
        },
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
        current,
        schema: AgentJob,
        make: async (reach) => {
          const { job, until } = await agentJobs.read(c.req.valid('param'))
          const value = shownWithin(reach, job)
          const onPoll = () => onView([[value.projectId, value.id]])
          return isChanging(value) ? { value, until, onPoll } : { value, until }
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
