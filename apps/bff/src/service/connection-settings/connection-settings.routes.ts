import { apiRoutes } from '#ground/http/api-routes.ts'
import { readScope } from '#ground/http/access/token-scope.ts'
import type { ServiceCtx } from '#service/service-ctx.ts'
import { reportConnection } from './connection-reports.ts'
import {
  addConnection,
  changeConnection,
  checkKeys,
  listConnections,
  removeConnection,
  testConnection,
} from './connection-settings.ts'
import { countMove, moveConnectionRecords } from './move-records.ts'
import { listProjects, nameProject } from './projects.ts'
import { resumeCalls } from './resume-calls.ts'

export const connectionRoutes = (ctx: ServiceCtx) =>
  apiRoutes()
    .serve('GET /api/connection', (c) =>
      reportConnection(ctx, c.req.valid('query').connection, readScope(c.var.identity)),
    )
    .serve('POST /api/connection/resume', (c) =>
      resumeCalls(ctx, c.req.valid('query').connection, c.var.actor, readScope(c.var.identity)),
    )
    .serve('GET /api/connections', () => listConnections(ctx))
    .serve('POST /api/connections', (c) => addConnection(ctx, c.req.valid('json'), c.var.actor))
    .serve('POST /api/connections/test', (c) => testConnection(ctx, c.req.valid('json'), c.var.actor))
    .serve('PATCH /api/connections/{connectionId}', (c) =>
      changeConnection(ctx, c.req.valid('param').connectionId, c.req.valid('json'), c.var.actor),
    )
    .serve('DELETE /api/connections/{connectionId}', (c) =>
      removeConnection(ctx, c.req.valid('param').connectionId, c.var.actor),
    )
    .serve('POST /api/connections/{connectionId}/check', (c) =>
      checkKeys(ctx, c.req.valid('param').connectionId, c.var.actor),
    )
    .serve('GET /api/connections/{connectionId}/move-records', (c) =>
      countMove(ctx, c.req.valid('param').connectionId, c.req.valid('query').to),
    )
    .serve('POST /api/connections/{connectionId}/move-records', (c) =>
      moveConnectionRecords(ctx, c.req.valid('param').connectionId, c.req.valid('json').to, c.var.actor),
    )
    .serve('GET /api/projects', (c) => listProjects(ctx, readScope(c.var.identity)))
    .serve('POST /api/projects', (c) => nameProject(ctx, c.req.valid('json'), c.var.actor, readScope(c.var.identity)))
