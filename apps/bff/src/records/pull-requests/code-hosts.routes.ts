import { apiRoutes } from '#ground/http/api-routes.ts'
import type { CodeHostsCtx } from '#records/pull-requests/code-hosts.ts'
import { addCodeHost, checkCodeHost, removeCodeHost, replaceToken } from './code-hosts.ts'

export const codeHostSettingsRoutes = (ctx: CodeHostsCtx) =>
  apiRoutes()
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
