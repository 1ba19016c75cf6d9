import type { CodeHostAction } from '@docket/api-types/code-host'
import type { Context } from 'hono'
import { readScope } from '#ground/http/access/token-scope.ts'
import { apiRoute, apiRoutes, polledRoute } from '#ground/http/api-routes.ts'
import type { AppEnv } from '#ground/http/app-env.ts'
import type { ConditionalGet } from '#ground/http/conditional-get/conditional-get.ts'
import type { CodeHostService } from './code-host.service.ts'

const listProjects = polledRoute('/api/code-host', {
  summary: 'Projects whose repository the embedded code host keeps',
  answer: 'The projects.',
})
const listPulls = polledRoute('/api/code-host/{projectId}', {
  summary: 'Pull requests of a project on the embedded code host',
  answer: 'A page of pull requests, newest first.',
})
const readPull = polledRoute('/api/code-host/{projectId}/pulls/{number}', {
  summary: 'One pull request with its commits and changes',
  answer: 'The pull request.',
})
const readCommit = polledRoute('/api/code-host/{projectId}/commits/{hash}', {
  summary: 'One commit with its changes',
  answer: 'The commit.',
})
const answer = 'The pull request as it is now.'
const merge = apiRoute('POST', '/api/code-host/{projectId}/pulls/{number}/merge', {
  summary: 'Merge a pull request into the main branch',
  answer,
})
const close = apiRoute('POST', '/api/code-host/{projectId}/pulls/{number}/close', {
  summary: 'Close a pull request without a merge',
  answer,
})
const reopen = apiRoute('POST', '/api/code-host/{projectId}/pulls/{number}/reopen', {
  summary: 'Open a closed pull request again, with all commits of its branch',
  answer,
})
const deleteBranch = apiRoute('POST', '/api/code-host/{projectId}/pulls/{number}/delete-branch', {
  summary: 'Delete the branch of a merged or closed pull request, whose commits stay',
  answer,
})

const updateFolder = apiRoute('POST', '/api/code-host/{projectId}/folder', {
  summary: 'Write the main branch into the folder of a project',
  answer: 'The folder as it is now.',
})

type ActContext = Context<
  AppEnv,
  string,
  { out: { param: { projectId: string; number: string }; json: { head: string } } }
>

/** `/api/code-host`: repositories and pull requests of the embedded code host. */
export const codeHostRoutes = (codeHost: CodeHostService, polled: ConditionalGet) => {
  const act = (action: CodeHostAction) => (c: ActContext) => {
    const { projectId, number } = c.req.valid('param')
    const request = { projectId, number: Number(number), ...c.req.valid('json') }
    return codeHost.act(action, request, { by: c.var.actor, scope: readScope(c.var.identity) })
  }
  return apiRoutes()
    .poll(listProjects, polled, () => ({ read: async (scope) => ({ value: await codeHost.listProjects(scope) }) }))
    .poll(listPulls, polled, (c) => ({
      read: async (scope) => ({
        value: await codeHost.listPulls(c.req.valid('param').projectId, c.req.valid('query'), scope),
      }),
    }))
    .poll(readPull, polled, (c) => ({
      read: async (scope) => {
        const { projectId, number } = c.req.valid('param')
        return { value: await codeHost.readPull({ projectId, number: Number(number) }, scope) }
      },
    }))
    .poll(readCommit, polled, (c) => ({
      read: async (scope) => ({ value: await codeHost.readCommit(c.req.valid('param'), scope) }),
    }))
    .serve(updateFolder, (c) => {
      const request = { ...c.req.valid('param'), ...c.req.valid('json') }
      return codeHost.updateFolder(request, { by: c.var.actor, scope: readScope(c.var.identity) })
    })
    .serve(merge, act('merge'))
    .serve(close, act('close'))
    .serve(reopen, act('reopen'))
    .serve(deleteBranch, act('delete-branch'))
}
