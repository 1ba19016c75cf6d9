import type { SentAgentPrompt } from '@docket/api-types/agent-prompts'
import type { Context } from 'hono'
import { apiRoutes } from '#ground/http/api-routes.ts'
import type { AppEnv } from '#ground/http/app-env.ts'
import { ensureMayPrompt } from '#ground/http/access/access.ts'
import { narrowScope, readScope } from '#ground/http/access/token-scope.ts'
import type { ConditionalGet } from '#ground/http/conditional-get/conditional-get.ts'
import { readJobKey } from '#records/agent-jobs/agent-jobs.routes.ts'
import { createRevisionReader } from '#records/record-routes.ts'
import type { JobsCtx } from '#records/agent-jobs/jobs-ctx.ts'
import { attachJob, forgetPrompt, restorePrompt } from './decide-prompt.ts'
import { listOpenPrompts, listPromptsOfJob } from './read-prompts.ts'
import { createJob, retryJob, sendMessage } from './send-prompt.ts'
import {
  changePrompt,
  listPrompts,
  removePrompt,
  runPrompt,
  savePrompt,
} from '#records/agent-jobs/saved-prompts/saved-prompts.ts'

/** The usual duration includes jobs of all projects, so only callers who may see all projects get it. */
const hideForeignUsual = (c: Context<AppEnv>, { prompt, job }: SentAgentPrompt): SentAgentPrompt =>
  readScope(c.var.identity).projectIds === null || job === null
    ? { prompt, job }
    : { prompt, job: { ...job, usual: null } }

export const agentPromptRoutes = (ctx: JobsCtx, polled: ConditionalGet) => {
  // The tag covers the content of prompts, too.
  const current = createRevisionReader(ctx, 'agent_jobs')
  return apiRoutes()
    .serve('POST /api/agent-prompts', async (c) => {
      const request = c.req.valid('json')
      // Docket itself writes the text of maintenance orders.
      if (request.maintenance === undefined) ensureMayPrompt(c.var.identity)
      return hideForeignUsual(c, await createJob(ctx, request, c.var.actor, readScope(c.var.identity)))
    })
    .poll('GET /api/agent-prompts', polled, (c) => ({
      current,
      read: (scope) => listOpenPrompts(ctx, narrowScope(scope, c.req.valid('query'))),
    }))
    .serve('POST /api/agent-prompts/{requestId}/attach', async (c) => {
      const named = { ...c.req.valid('param'), ...c.req.valid('json') }
      return hideForeignUsual(c, await attachJob(ctx, named, c.var.actor, readScope(c.var.identity)))
    })
    .serve('DELETE /api/agent-prompts/{requestId}', (c) =>
      forgetPrompt(ctx, c.req.valid('param').requestId, c.var.actor, readScope(c.var.identity)),
    )
    .serve('POST /api/agent-prompts/{requestId}/restore', async (c) =>
      hideForeignUsual(
        c,
        await restorePrompt(ctx, c.req.valid('param').requestId, c.var.actor, readScope(c.var.identity)),
      ),
    )
    .serve('POST /api/agent-jobs/{projectId}/{id}/messages', async (c) =>
      hideForeignUsual(c, await sendMessage(ctx, readJobKey(c), c.req.valid('json'), c.var.actor)),
    )
    .serve('POST /api/agent-jobs/{projectId}/{id}/retry', async (c) =>
      hideForeignUsual(c, await retryJob(ctx, readJobKey(c), c.req.valid('json'), c.var.actor)),
    )
    .poll('GET /api/agent-jobs/{projectId}/{id}/prompts', polled, (c) => ({
      current,
      read: () => listPromptsOfJob(ctx, readJobKey(c)),
    }))
    .serve('GET /api/saved-prompts', () => listPrompts(ctx))
    .serve('POST /api/saved-prompts', (c) => savePrompt(ctx, c.req.valid('json'), c.var.actor))
    .serve('PATCH /api/saved-prompts/{promptId}', (c) =>
      changePrompt(ctx, c.req.valid('param').promptId, c.req.valid('json'), c.var.actor),
    )
    .serve('DELETE /api/saved-prompts/{promptId}', (c) => removePrompt(ctx, c.req.valid('param').promptId, c.var.actor))
    .serve('POST /api/saved-prompts/{promptId}/runs', (c) =>
      runPrompt(ctx, {
        ...c.req.valid('param'),
        ...c.req.valid('json'),
        by: c.var.actor,
        scope: readScope(c.var.identity),
      }),
    )
}
