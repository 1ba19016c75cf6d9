import type { SentAgentPrompt } from '@docket/api-types/agent-prompts'
import type { Context } from 'hono'
import { apiRoute, apiRoutes, polledRoute } from '#ground/http/api-routes.ts'
import { pickLocated, type AppEnv } from '#ground/http/app-env.ts'
import { ensureMayPrompt } from '#ground/http/access/may-prompt.ts'
import { narrowScope, readScope, type TokenScope } from '#ground/http/access/token-scope.ts'
import type { ConditionalGet } from '#ground/http/conditional-get/conditional-get.ts'
import { coalesce } from '#ground/http/conditional-get/coalesce.ts'
import type { AgentPromptService } from './agent-prompts.service.ts'

const create = apiRoute('POST', '/api/agent-prompts', {
  summary: 'Create an agent job, where that is allowed; the same requestId never creates a second one',
  answer:
    'What became of the prompt, also when the service refused it (`refused`) or did not answer (`unknown`); and the job, which is followed.',
  status: 201,
})
const open = polledRoute('/api/agent-prompts', {
  summary: 'Requests for agent jobs that are under way, or whose outcome is unknown',
  answer: 'The latest 20, newest first.',
})
const attach = apiRoute('POST', '/api/agent-prompts/{requestId}/attach', {
  summary: 'Give a request that was never answered the job that a person found; it is read from the Admin API first',
  answer: 'The prompt and its job, which is followed.',
})
const forget = apiRoute('DELETE', '/api/agent-prompts/{requestId}', {
  summary: 'Take a request that was never answered off the list; the service is not told',
  answer: 'It is no longer listed; `restore` takes this back.',
})
const restore = apiRoute('POST', '/api/agent-prompts/{requestId}/restore', {
  summary: 'Put a forgotten request back on the list',
  answer: 'The prompt.',
})
const message = apiRoute('POST', '/api/agent-jobs/{projectId}/{id}/messages', {
  summary: 'Send a follow-up message to an agent job, where that is allowed; the same requestId never sends it twice',
  answer: 'What became of the message, and the job.',
  status: 201,
})
const retry = apiRoute('POST', '/api/agent-jobs/{projectId}/{id}/retry', {
  summary:
    'Send the latest prompt of an agent job again, where that is allowed; the same requestId never sends it twice',
  answer: 'What became of the message, and the job.',
  status: 201,
})
const listOfJob = polledRoute('/api/agent-jobs/{projectId}/{id}/prompts', {
  summary: 'What people sent to an agent job from Docket',
  answer: 'The latest 500, oldest first.',
})

/** The usual duration covers jobs of every project. */
const withoutForeignUsual = ({ projectIds }: TokenScope, { prompt, job: found }: SentAgentPrompt): SentAgentPrompt =>
  projectIds === null || found === null ? { prompt, job: found } : { prompt, job: { ...found, usual: null } }

const hideUsual = (c: Context<AppEnv>, prompt: SentAgentPrompt) =>
  withoutForeignUsual(readScope(c.var.identity), prompt)

/** Routes of prompts: create agent jobs, send follow-up messages, and settle prompts with an unknown outcome. */
export const agentPromptRoutes = (prompts: AgentPromptService, polled: ConditionalGet) => {
  const current = coalesce(prompts.current)
  return apiRoutes()
    .serve(create, async (c) => {
      const request = c.req.valid('json')
      // Docket itself puts maintenance orders into words.
      if (request.maintenance === undefined) ensureMayPrompt(c.var.identity)
      const scope = readScope(c.var.identity)
      return withoutForeignUsual(scope, await prompts.create(request, c.var.actor, scope))
    })
    .poll(open, polled, (c) => ({
      current,
      read: (scope) => prompts.open(narrowScope(scope, c.req.valid('query'))),
    }))
    .serve(attach, async (c) => {
      const { requestId } = c.req.valid('param')
      const { id } = c.req.valid('json')
      return hideUsual(c, await prompts.attach(requestId, id, c.var.actor, readScope(c.var.identity)))
    })
    .serve(forget, (c) => prompts.forget(c.req.valid('param').requestId, c.var.actor, readScope(c.var.identity)))
    .serve(restore, async (c) =>
      hideUsual(c, await prompts.restore(c.req.valid('param').requestId, c.var.actor, readScope(c.var.identity))),
    )
    .serve(message, async (c) => {
      return hideUsual(
        c,
        await prompts.message(
          { ...c.req.valid('param'), ...c.req.valid('query'), ...pickLocated(c) },
          c.req.valid('json'),
          c.var.actor,
        ),
      )
    })
    .serve(retry, async (c) => {
      const job = { ...c.req.valid('param'), ...c.req.valid('query'), ...pickLocated(c) }
      return hideUsual(c, await prompts.retry(job, c.req.valid('json'), c.var.actor))
    })
    .poll(listOfJob, polled, (c) => ({
      current,
      read: () => prompts.listOfJob({ ...c.req.valid('param'), ...c.req.valid('query'), ...pickLocated(c) }),
    }))
}
