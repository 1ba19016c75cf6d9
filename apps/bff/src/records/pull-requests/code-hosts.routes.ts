import { apiRoutes } from '#ground/http/api-routes.ts'
import type { CodeHostSettings } from './code-hosts.service.ts'

/** `/api/connections/{connectionId}/code-hosts`. */
export const codeHostSettingsRoutes = (codeHosts: CodeHostSettings) =>
  apiRoutes()
    .serve('POST /api/connections/{connectionId}/code-hosts', (c) =>
      codeHosts.add(c.req.valid('param').connectionId, c.req.valid('json'), c.var.actor),
    )
    .serve('PATCH /api/connections/{connectionId}/code-hosts/{codeHostId}', (c) =>
      codeHosts.replaceToken(c.req.valid('param'), c.req.valid('json'), c.var.actor),
    )
    .serve('DELETE /api/connections/{connectionId}/code-hosts/{codeHostId}', (c) =>
      codeHosts.remove(c.req.valid('param'), c.var.actor),
    )
    .serve('POST /api/connections/{connectionId}/code-hosts/{codeHostId}/check', (c) =>
      codeHosts.check(c.req.valid('param'), c.var.actor),
    )
