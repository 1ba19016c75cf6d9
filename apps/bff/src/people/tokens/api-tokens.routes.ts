import { apiRoutes } from '#ground/http/api-routes.ts'
import type { ApiTokenService } from './api-tokens.service.ts'

/** `/api/tokens`: tokens for programs. */
export const apiTokenRoutes = (tokens: ApiTokenService) =>
  apiRoutes()
    .serve('GET /api/tokens', () => tokens.list())
    .serve('POST /api/tokens', (c) => tokens.create(c.req.valid('json'), c.var.actor))
    .serve('POST /api/tokens/{tokenId}/hand-over', (c) => tokens.handOver(c.req.valid('param').tokenId, c.var.actor))
    .serve('DELETE /api/tokens/{tokenId}', (c) => tokens.revoke(c.req.valid('param').tokenId, c.var.actor))
