import { readScope } from '#ground/http/access/token-scope.ts'
import { apiRoutes } from '#ground/http/api-routes.ts'
import type { SavedPromptService } from './saved-prompts.service.ts'

/** `/api/saved-prompts`: the team's prompts. */
export const savedPromptRoutes = (prompts: SavedPromptService) =>
  apiRoutes()
    .serve('GET /api/saved-prompts', () => prompts.list())
    .serve('POST /api/saved-prompts', (c) => prompts.save(c.req.valid('json'), c.var.actor))
    .serve('PATCH /api/saved-prompts/{promptId}', (c) =>
      prompts.change(c.req.valid('param').promptId, c.req.valid('json'), c.var.actor),
    )
    .serve('DELETE /api/saved-prompts/{promptId}', (c) => prompts.remove(c.req.valid('param').promptId, c.var.actor))
    .serve('POST /api/saved-prompts/{promptId}/runs', (c) =>
      prompts.runSavedPrompt({
        ...c.req.valid('param'),
        ...c.req.valid('json'),
        by: c.var.actor,
        scope: readScope(c.var.identity),
      }),
    )
