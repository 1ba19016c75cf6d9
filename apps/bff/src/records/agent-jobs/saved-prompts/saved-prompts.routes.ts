import { readScope } from '#ground/http/access/token-scope.ts'
import { apiRoute, apiRoutes } from '#ground/http/api-routes.ts'
import type { SavedPromptService } from './saved-prompts.service.ts'

const list = apiRoute('GET', '/api/saved-prompts', {
  summary: 'Prompts that the team keeps',
  answer: 'The prompts by title.',
})
const save = apiRoute('POST', '/api/saved-prompts', {
  summary: 'Save a prompt under a title, with placeholders such as {{page}}',
  answer: 'The prompt.',
  status: 201,
})
const change = apiRoute('PATCH', '/api/saved-prompts/{promptId}', {
  summary: 'Change the title or text of a saved prompt; refused when somebody changed it meanwhile',
  answer: 'The prompt.',
})
const remove = apiRoute('DELETE', '/api/saved-prompts/{promptId}', {
  summary: 'Delete a saved prompt',
  answer: 'It is deleted.',
})
const run = apiRoute('POST', '/api/saved-prompts/{promptId}/runs', {
  summary:
    'Fill in a saved prompt and create an agent job in each project; the same requestId never creates a second one there',
  answer: 'What became of it in each project, also where it was refused.',
})

/** `/api/saved-prompts`: the team's prompts. */
export const savedPromptRoutes = (prompts: SavedPromptService) =>
  apiRoutes()
    .serve(list, () => prompts.list())
    .serve(save, (c) => prompts.save(c.req.valid('json'), c.var.actor))
    .serve(change, (c) => prompts.change(c.req.valid('param').promptId, c.req.valid('json'), c.var.actor))
    .serve(remove, (c) => prompts.remove(c.req.valid('param').promptId, c.var.actor))
    .serve(run, (c) =>
      prompts.runSavedPrompt({
        ...c.req.valid('param'),
        ...c.req.valid('json'),
        by: c.var.actor,
        scope: readScope(c.var.identity),
      }),
    )
