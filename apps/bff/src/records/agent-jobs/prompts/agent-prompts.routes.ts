import type { SentAgentPrompt } from '@docket/api-types/agent-prompts'
import { apiRoutes } from '#ground/http/api-routes.ts'
import { ensureMayPrompt } from '#ground/http/access/access.ts'
import { narrowScope, type TokenScope } from '#ground/http/access/token-scope.ts'
import type { ConditionalGet } from '#ground/http/conditional-get/conditional-get.ts'
import { toJobKey, withoutForeignUsual } from '#records/agent-jobs/agent-jobs.routes.ts'
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

const hideForeignUsual = (scope: TokenScope, { prompt, job }: SentAgentPrompt): SentAgentPrompt => ({
  prompt,
  job: job && withoutForeignUsual(scope, job),
})

export const agentPromptRoutes = (ctx: JobsCtx, polled: ConditionalGet) => {
  // The tag covers the content of prompts, too.
  const current = createRevisionReader(ctx, 'agent_jobs')
  return apiRoutes()
    .serve('POST /api/agent-prompts', async ({ body, by, scope, sender }) => {
      // Docket itself writes the text of maintenance orders.
      if (body.maintenance === undefined) ensureMayPrompt(sender.identity)
      return hideForeignUsual(scope, await createJob(ctx, body, by, scope))
    })
    .poll('GET /api/agent-prompts', polled, ({ query }) => ({
      current,
      read: (scope) => listOpenPrompts(ctx, narrowScope(scope, query)),
    }))
    .serve('POST /api/agent-prompts/{requestId}/attach', async ({ params, body, by, scope }) =>
      hideForeignUsual(scope, await attachJob(ctx, { ...params, ...body }, by, scope)),
    )
    .serve('DELETE /api/agent-prompts/{requestId}', ({ requestId, by, scope }) =>
      forgetPrompt(ctx, requestId, by, scope),
    )
    .serve('POST /api/agent-prompts/{requestId}/restore', async ({ requestId, by, scope }) =>
      hideForeignUsual(scope, await restorePrompt(ctx, requestId, by, scope)),
    )
    .serve('POST /api/agent-jobs/{projectId}/{id}/messages', async (job) =>
      hideForeignUsual(job.scope, await sendMessage(ctx, toJobKey(job), job.body, job.by)),
    )
    .serve('POST /api/agent-jobs/{projectId}/{id}/retry', async (job) =>
      hideForeignUsual(job.scope, await retryJob(ctx, toJobKey(job), job.body, job.by)),
    )
    .poll('GET /api/agent-jobs/{projectId}/{id}/prompts', polled, (job) => ({
      current,
      read: () => listPromptsOfJob(ctx, toJobKey(job)),
    }))
    .serve('GET /api/saved-prompts', () => listPrompts(ctx))
    .serve('POST /api/saved-prompts', ({ body, by }) => savePrompt(ctx, body, by))
    .serve('PATCH /api/saved-prompts/{promptId}', ({ promptId, body, by }) => changePrompt(ctx, promptId, body, by))
    .serve('DELETE /api/saved-prompts/{promptId}', ({ promptId, by }) => removePrompt(ctx, promptId, by))
    .serve('POST /api/saved-prompts/{promptId}/runs', ({ params, body, by, scope }) =>
      runPrompt(ctx, { ...params, ...body, by, scope }),
    )
}
