import { apiRoutes } from '#ground/http/api-routes.ts'
import type { Ctx } from '#ground/ctx.ts'
import { createToken, handOverToken, listTokens, revokeToken } from './api-tokens.service.ts'

export const apiTokenRoutes = (ctx: Ctx) =>
  apiRoutes()
    .serve('GET /api/tokens', () => listTokens(ctx))
    .serve('POST /api/tokens', (c) => createToken(ctx, c.req.valid('json'), c.var.actor))
    .serve('POST /api/tokens/{tokenId}/hand-over', (c) => handOverToken(ctx, c.req.valid('param').tokenId, c.var.actor))
    .serve('DELETE /api/tokens/{tokenId}', (c) => revokeToken(ctx, c.req.valid('param').tokenId, c.var.actor))
