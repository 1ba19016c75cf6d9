import { apiRoutes } from '#ground/http/api-routes.ts'
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
    .serve('GET /api/connection', ({ query, scope }) => reportConnection(ctx, query.connection, scope))
    .serve('POST /api/connection/resume', ({ query, by, scope }) => resumeCalls(ctx, query.connection, by, scope))
    .serve('GET /api/connections', () => listConnections(ctx))
    .serve('POST /api/connections', ({ body, by }) => addConnection(ctx, body, by))
    .serve('POST /api/connections/test', ({ body, by }) => testConnection(ctx, body, by))
    .serve('PATCH /api/connections/{connectionId}', ({ connectionId, body, by }) =>
      changeConnection(ctx, connectionId, body, by),
    )
    .serve('DELETE /api/connections/{connectionId}', ({ connectionId, by }) => removeConnection(ctx, connectionId, by))
    .serve('POST /api/connections/{connectionId}/check', ({ connectionId, by }) => checkKeys(ctx, connectionId, by))
    .serve('GET /api/connections/{connectionId}/move-records', ({ connectionId, query }) =>
      countMove(ctx, connectionId, query.to),
    )
    .serve('POST /api/connections/{connectionId}/move-records', ({ connectionId, body, by }) =>
      moveConnectionRecords(ctx, connectionId, body.to, by),
    )
    .serve('GET /api/projects', ({ scope }) => listProjects(ctx, scope))
    .serve('POST /api/projects', ({ body, by, scope }) => nameProject(ctx, body, by, scope))
