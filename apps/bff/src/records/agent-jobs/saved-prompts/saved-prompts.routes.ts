import type { JobsCtx } from '#records/agent-jobs/jobs-ctx.ts'
import { readScope } from '#ground/http/access/token-scope.ts'
import { apiRoutes } from '#ground/http/api-routes.ts'
import { changePrompt, listPrompts, removePrompt, runPrompt, savePrompt } from './saved-prompts.ts'

export const savedPromptRoutes = (ctx: JobsCtx) =>
  apiRoutes()
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
