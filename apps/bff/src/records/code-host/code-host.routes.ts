import type { CodeHostAction } from '@docket/api-types/code-host'
import type { Context } from 'hono'
import { readScope } from '#ground/http/access/token-scope.ts'
import { apiRoutes } from '#ground/http/api-routes.ts'
import type { AppEnv } from '#ground/http/app-env.ts'
import type { ConditionalGet } from '#ground/http/conditional-get/conditional-get.ts'
import {
  type RepositoriesCtx,
  actOnPull,
  listProjects,
  listPulls,
  readCommit,
  readPull,
  updateFolder,
} from './repositories.ts'
import {
  type CodeHostsCtx,
  addCodeHost,
  checkCodeHost,
  removeCodeHost,
  replaceToken,
} from '#records/pull-requests/code-hosts.ts'

type ActContext = Context<
  AppEnv,
  string,
  { out: { param: { projectId: string; number: string }; json: { head: string } } }
>

export const codeHostRoutes = (ctx: RepositoriesCtx & CodeHostsCtx, polled: ConditionalGet) => {
  const act = (action: CodeHostAction) => (c: ActContext) => {
    const { projectId, number } = c.req.valid('param')
    const request = { projectId, number: Number(number), ...c.req.valid('json') }
    return actOnPull(ctx, action, request, { by: c.var.actor, scope: readScope(c.var.identity) })
  }
  return apiRoutes()
    .poll('GET /api/code-host', polled, () => ({
      read: async (scope) => ({ value: await listProjects(ctx, scope) }),
    }))
    .poll('GET /api/code-host/{projectId}', polled, (c) => ({
      read: async (scope) => ({
        value: await listPulls(ctx, c.req.valid('param').projectId, c.req.valid('query'), scope),
      }),
    }))
    .poll('GET /api/code-host/{projectId}/pulls/{number}', polled, (c) => ({
      read: async (scope) => {
        const { projectId, number } = c.req.valid('param')
        return { value: await readPull(ctx, { projectId, number: Number(number) }, scope) }
      },
    }))
    .poll('GET /api/code-host/{projectId}/commits/{hash}', polled, (c) => ({
      read: async (scope) => ({ value: await readCommit(ctx, c.req.valid('param'), scope) }),
    }))
    .serve('POST /api/code-host/{projectId}/folder', (c) => {
      const request = { ...c.req.valid('param'), ...c.req.valid('json') }
      return updateFolder(ctx, request, { by: c.var.actor, scope: readScope(c.var.identity) })
    })
    .serve('POST /api/code-host/{projectId}/pulls/{number}/merge', act('merge'))
    .serve('POST /api/code-host/{projectId}/pulls/{number}/close', act('close'))
    .serve('POST /api/code-host/{projectId}/pulls/{number}/reopen', act('reopen'))
    .serve('POST /api/code-host/{projectId}/pulls/{number}/delete-branch', act('delete-branch'))
    .serve('POST /api/connections/{connectionId}/code-hosts', (c) =>
      addCodeHost(ctx, c.req.valid('param').connectionId, c.req.valid('json'), c.var.actor),
    )
    .serve('PATCH /api/connections/{connectionId}/code-hosts/{codeHostId}', (c) =>
      replaceToken(ctx, c.req.valid('param'), c.req.valid('json'), c.var.actor),
    )
    .serve('DELETE /api/connections/{connectionId}/code-hosts/{codeHostId}', (c) =>
      removeCodeHost(ctx, c.req.valid('param'), c.var.actor),
    )
    .serve('POST /api/connections/{connectionId}/code-hosts/{codeHostId}/check', (c) =>
      checkCodeHost(ctx, c.req.valid('param'), c.var.actor),
    )
}
