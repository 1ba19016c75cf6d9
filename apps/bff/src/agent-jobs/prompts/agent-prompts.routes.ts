import { AgentJobKey } from '@docket/api-types/agent-jobs'
import {
  AgentPromptList,
  AttachAgentJob,
  CreateAgentJob,
  SendAgentMessage,
  SentAgentPrompt,
} from '@docket/api-types/agent-prompts'
import { createRoute, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { answers, answersNothing, apiRoutes, conditionalAnswers, jsonBody } from '#http/api-routes.ts'
import type { AppEnv } from '#http/app-env.ts'
import { reachOf, type Reach } from '#http/access/reach.ts'
import type { ConditionalGet } from '#http/conditional-get/conditional-get.ts'
import { coalesce } from '#http/conditional-get/coalesce.ts'
import { send, sendNothing } from '#http/send.ts'
import type { AgentPromptService } from './agent-prompts.service.ts'

const job = z.object(AgentJobKey.shape)
const params = z.object({ requestId: z.uuid() })

const create = createRoute({
  method: 'post',
  path: '/agent-prompts',
  summary: 'Create an agent job, where that is allowed; the same requestId never creates a second one',
  request: jsonBody(CreateAgentJob),
  responses: answers(
    SentAgentPrompt,
    'What became of the prompt, also when the service refused it (`refused`) or did not answer (`unknown`); and the job, which is followed.',
    201,
  ),
})
const open = createRoute({
  method: 'get',
  path: '/agent-prompts',
  summary: 'Requests for agent jobs that are under way, or whose outcome is unknown',
  responses: conditionalAnswers(AgentPromptList, 'The latest 20, newest first.'),
})
const attach = createRoute({
  method: 'post',
  path: '/agent-prompts/{requestId}/attach',
  summary: 'Give a request that was never answered the job that a person found; it is read from the Admin API first',
  request: { params, ...jsonBody(AttachAgentJob) },
  responses: answers(SentAgentPrompt, 'The prompt and its job, which is followed.'),
})
const forget = createRoute({
  method: 'delete',
  path: '/agent-prompts/{requestId}',
  summary: 'Take a request that was never answered off the list; the service is not told',
  request: { params },
  responses: answersNothing('It is no longer listed; `restore` takes this back.'),
})
const restore = createRoute({
  method: 'post',
  path: '/agent-prompts/{requestId}/restore',
  summary: 'Put a forgotten request back on the list',
  request: { params },
  responses: answers(SentAgentPrompt, 'The prompt.'),
})
const message = createRoute({
  method: 'post',
  path: '/agent-jobs/{projectId}/{id}/messages',
  summary: 'Send a follow-up message to an agent job, where that is allowed; the same requestId never sends it twice',
  request: { params: job, ...jsonBody(SendAgentMessage) },
  responses: answers(SentAgentPrompt, 'What became of the message, and the job.', 201),
})
const ofJob = createRoute({
  method: 'get',
  path: '/agent-jobs/{projectId}/{id}/prompts',
  summary: 'What people sent to an agent job from Docket',
  request: { params: job },
  responses: conditionalAnswers(AgentPromptList, 'The latest 20, oldest first.'),
})

/** How long jobs usually take is known from jobs of every project. */
const shownWithin = ({ projectIds }: Reach, { prompt, job: found }: SentAgentPrompt): SentAgentPrompt =>
  projectIds === null || found === null ? { prompt, job: found } : { prompt, job: { ...found, usual: null } }

const shown = (c: Context<AppEnv>, sent: SentAgentPrompt) =>
  send(c, SentAgentPrompt, shownWithin(reachOf(c.var.identity), sent))

/** Routes of prompts: create agent jobs, send follow-up messages, and decide about prompts without an answer. */
export const agentPromptRoutes = (prompts: AgentPromptService, polled: ConditionalGet) => {
  const current = coalesce(prompts.current)
  return apiRoutes()
    .openapi(create, async (c) => {
      const reach = reachOf(c.var.identity)
      const sent = await prompts.create(c.req.valid('json'), c.var.actor, reach)
      return send(c, SentAgentPrompt, shownWithin(reach, sent), 201)
    })
    .openapi(open, (c) =>
      polled.send(c, {
        current,
        schema: AgentPromptList,
        make: async (reach) => {
          const { list: value, until } = await prompts.open(reach)
          return { value, until }
        },
      }),
    )
    .openapi(attach, async (c) => {
      const { requestId } = c.req.valid('param')
      const { id } = c.req.valid('json')
      return shown(c, await prompts.attach(requestId, id, c.var.actor, reachOf(c.var.identity)))
    })
    .openapi(forget, async (c) => {
      await prompts.forget(c.req.valid('param').requestId, c.var.actor, reachOf(c.var.identity))
      return sendNothing(c)
    })
    .openapi(restore, async (c) =>
      shown(c, await prompts.restore(c.req.valid('param').requestId, c.var.actor, reachOf(c.var.identity))),
    )
    .openapi(message, async (c) => {
      const sent = await prompts.message(c.req.valid('param'), c.req.valid('json'), c.var.actor)
      return send(c, SentAgentPrompt, shownWithin(reachOf(c.var.identity), sent), 201)
    })
    .openapi(ofJob, (c) =>
      polled.send(c, {
        current,
        schema: AgentPromptList,
        make: async () => {
          const { list: value, until } = await prompts.ofJob(c.req.valid('param'))
          return { value, until }
        },
      }),
    )
}
