import type { SentAgentPrompt } from '@docket/api-types/agent-prompts'
import type { Context } from 'hono'
import { apiRoutes } from '#ground/http/api-routes.ts'
import { pickLocated, type AppEnv } from '#ground/http/app-env.ts'
import { ensureMayPrompt } from '#ground/http/access/access.ts'
import { narrowScope, readScope, type TokenScope } from '#ground/http/access/token-scope.ts'
import type { ConditionalGet } from '#ground/http/conditional-get/conditional-get.ts'
import { coalesce } from '#ground/http/conditional-get/coalesce.ts'
import type { AgentPromptService } from './agent-prompts.service.ts'

/** The usual duration covers jobs of every project. */
const withoutForeignUsual = ({ projectIds }: TokenScope, { prompt, job: found }: SentAgentPrompt): SentAgentPrompt =>
  projectIds === null || found === null ? { prompt, job: found } : { prompt, job: { ...found, usual: null } }

const hideUsual = (c: Context<AppEnv>, prompt: SentAgentPrompt) =>
  withoutForeignUsual(readScope(c.var.identity), prompt)

/** Routes of prompts: create agent jobs, send follow-up messages, and settle prompts with an unknown outcome. */
export const agentPromptRoutes = (prompts: AgentPromptService, polled: ConditionalGet) => {
  const current = coalesce(prompts.current)
  return apiRoutes()
    .serve('POST /api/agent-prompts', async (c) => {
      const request = c.req.valid('json')
      // Docket itself puts maintenance orders into words.
      if (request.maintenance === undefined) ensureMayPrompt(c.var.identity)
      const scope = readScope(c.var.identity)
      return withoutForeignUsual(scope, await prompts.create(request, c.var.actor, scope))
    })
    .poll('GET /api/agent-prompts', polled, (c) => ({
      current,
      read: (scope) => prompts.open(narrowScope(scope, c.req.valid('query'))),
    }))
    .serve('POST /api/agent-prompts/{requestId}/attach', async (c) => {
      const { requestId } = c.req.valid('param')
      const { id } = c.req.valid('json')
      return hideUsual(c, await prompts.attach(requestId, id, c.var.actor, readScope(c.var.identity)))
    })
    .serve('DELETE /api/agent-prompts/{requestId}', (c) =>
      prompts.forget(c.req.valid('param').requestId, c.var.actor, readScope(c.var.identity)),
    )
    .serve('POST /api/agent-prompts/{requestId}/restore', async (c) =>
      hideUsual(c, await prompts.restore(c.req.valid('param').requestId, c.var.actor, readScope(c.var.identity))),
    )
    .serve('POST /api/agent-jobs/{projectId}/{id}/messages', async (c) => {
      return hideUsual(
        c,
        await prompts.message(
          { ...c.req.valid('param'), ...c.req.valid('query'), ...pickLocated(c) },
          c.req.valid('json'),
          c.var.actor,
        ),
      )
    })
    .serve('POST /api/agent-jobs/{projectId}/{id}/retry', async (c) => {
      const job = { ...c.req.valid('param'), ...c.req.valid('query'), ...pickLocated(c) }
      return hideUsual(c, await prompts.retry(job, c.req.valid('json'), c.var.actor))
    })
    .poll('GET /api/agent-jobs/{projectId}/{id}/prompts', polled, (c) => ({
      current,
      read: () => prompts.listOfJob({ ...c.req.valid('param'), ...c.req.valid('query'), ...pickLocated(c) }),
    }))
}
