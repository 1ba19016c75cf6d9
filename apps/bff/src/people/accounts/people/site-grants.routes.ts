import type { Context } from 'hono'
import type { AccountService } from '#people/accounts/accounts.service.ts'
import { requirePerson } from '#people/accounts/request-origin.ts'
import { apiRoutes } from '#ground/http/api-routes.ts'
import type { AppEnv } from '#ground/http/app-env.ts'

/** `/api/site-grants`: roles for single sites and channels, for admins. */
export const siteGrantRoutes = ({ siteGrants }: Pick<AccountService, 'siteGrants'>) => {
  const readAdmin = (c: Context<AppEnv>) => ({ self: requirePerson(c), by: c.var.actor })
  return apiRoutes()
    .serve('GET /api/site-grants', () => siteGrants.list())
    .serve('POST /api/site-grants', (c) => siteGrants.add(c.req.valid('json'), readAdmin(c)))
    .serve('DELETE /api/site-grants/{grantId}', (c) => siteGrants.remove(c.req.valid('param').grantId, readAdmin(c)))
}
