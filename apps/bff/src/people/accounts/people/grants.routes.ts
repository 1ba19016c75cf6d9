import type { Context } from 'hono'
import type { Ctx } from '#ground/ctx.ts'
import { requirePerson } from '#people/accounts/request-origin.ts'
import { apiRoutes } from '#ground/http/api-routes.ts'
import type { AppEnv } from '#ground/http/app-env.ts'
import { addGrant, listGrants, removeGrant } from './grants.ts'
import { addSiteGrant, listSiteGrants, removeSiteGrant } from './site-grants.ts'

export const grantRoutes = (ctx: Ctx) => {
  const readAdmin = (c: Context<AppEnv>) => ({ self: requirePerson(c), by: c.var.actor })
  return apiRoutes()
    .serve('GET /api/grants', () => listGrants(ctx))
    .serve('POST /api/grants', (c) => addGrant(ctx, c.req.valid('json'), readAdmin(c)))
    .serve('DELETE /api/grants/{grantId}', (c) => removeGrant(ctx, c.req.valid('param').grantId, readAdmin(c)))
    .serve('GET /api/site-grants', () => listSiteGrants(ctx))
    .serve('POST /api/site-grants', (c) => addSiteGrant(ctx, c.req.valid('json'), readAdmin(c)))
    .serve('DELETE /api/site-grants/{grantId}', (c) => removeSiteGrant(ctx, c.req.valid('param').grantId, readAdmin(c)))
}
