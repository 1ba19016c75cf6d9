import type { CodeHostAction } from '@docket/api-types/code-host'
import { apiRoutes, type ApiRequest } from '#ground/http/api-routes.ts'
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

type ActRequest = Pick<
  ApiRequest<'POST /api/code-host/{projectId}/pulls/{number}/merge'>,
  'projectId' | 'number' | 'body' | 'by' | 'scope'
>

export const codeHostRoutes = (ctx: RepositoriesCtx & CodeHostsCtx, polled: ConditionalGet) => {
  const act =
    (action: CodeHostAction) =>
    ({ projectId, number, body, by, scope }: ActRequest) =>
      actOnPull(ctx, action, { projectId, number: Number(number), ...body }, { by, scope })
  return apiRoutes()
    .poll('GET /api/code-host', polled, () => ({
      read: async (scope) => ({ value: await listProjects(ctx, scope) }),
    }))
    .poll('GET /api/code-host/{projectId}', polled, ({ projectId, query }) => ({
      read: async (scope) => ({ value: await listPulls(ctx, projectId, query, scope) }),
    }))
    .poll('GET /api/code-host/{projectId}/pulls/{number}', polled, ({ projectId, number }) => ({
      read: async (scope) => ({ value: await readPull(ctx, { projectId, number: Number(number) }, scope) }),
    }))
    .poll('GET /api/code-host/{projectId}/commits/{hash}', polled, ({ params }) => ({
      read: async (scope) => ({ value: await readCommit(ctx, params, scope) }),
    }))
    .serve('POST /api/code-host/{projectId}/folder', ({ params, body, by, scope }) =>
      updateFolder(ctx, { ...params, ...body }, { by, scope }),
    )
    .serve('POST /api/code-host/{projectId}/pulls/{number}/merge', act('merge'))
    .serve('POST /api/code-host/{projectId}/pulls/{number}/close', act('close'))
    .serve('POST /api/code-host/{projectId}/pulls/{number}/reopen', act('reopen'))
    .serve('POST /api/code-host/{projectId}/pulls/{number}/delete-branch', act('delete-branch'))
    .serve('POST /api/connections/{connectionId}/code-hosts', ({ connectionId, body, by }) =>
      addCodeHost(ctx, connectionId, body, by),
    )
    .serve('PATCH /api/connections/{connectionId}/code-hosts/{codeHostId}', ({ params, body, by }) =>
      replaceToken(ctx, params, body, by),
    )
    .serve('DELETE /api/connections/{connectionId}/code-hosts/{codeHostId}', ({ params, by }) =>
      removeCodeHost(ctx, params, by),
    )
    .serve('POST /api/connections/{connectionId}/code-hosts/{codeHostId}/check', ({ params, by }) =>
      checkCodeHost(ctx, params, by),
    )
}
