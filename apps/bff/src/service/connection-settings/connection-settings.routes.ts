import { apiRoutes } from '#ground/http/api-routes.ts'
import { readScope } from '#ground/http/access/token-scope.ts'
import type { ConnectionReports } from './connection-reports.ts'
import type { ConnectionSettingsService } from './connection-settings.service.ts'
import type { ProjectService } from './projects.ts'
import type { resumeCalls } from './resume-calls.ts'

/** `/api/connection`, `/api/connections` and `/api/projects`. */
export const connectionRoutes = (
  connections: ConnectionSettingsService &
    Pick<ConnectionReports, 'report'> & { resume: ReturnType<typeof resumeCalls> },
  named: ProjectService,
) =>
  apiRoutes()
    .serve('GET /api/connection', (c) => connections.report(c.req.valid('query').connection, readScope(c.var.identity)))
    .serve('POST /api/connection/resume', (c) =>
      connections.resume(c.req.valid('query').connection, c.var.actor, readScope(c.var.identity)),
    )
    .serve('GET /api/connections', () => connections.list())
    .serve('POST /api/connections', (c) => connections.add(c.req.valid('json'), c.var.actor))
    .serve('PATCH /api/connections/{connectionId}', (c) =>
      connections.change(c.req.valid('param').connectionId, c.req.valid('json'), c.var.actor),
    )
    .serve('DELETE /api/connections/{connectionId}', (c) =>
      connections.remove(c.req.valid('param').connectionId, c.var.actor),
    )
    .serve('POST /api/connections/{connectionId}/check', (c) =>
      connections.check(c.req.valid('param').connectionId, c.var.actor),
    )
    .serve('POST /api/connections/{connectionId}/move-records', (c) =>
      connections.move(c.req.valid('param').connectionId, c.req.valid('json').to, c.var.actor),
    )
    .serve('GET /api/projects', (c) => named.list(readScope(c.var.identity)))
    .serve('POST /api/projects', (c) => named.save(c.req.valid('json'), c.var.actor, readScope(c.var.identity)))
