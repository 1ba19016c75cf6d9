import type { Context } from 'hono'
import type { AccountService } from '#people/accounts/accounts.service.ts'
import { requirePerson } from '#people/accounts/request-origin.ts'
import { apiRoutes } from '#ground/http/api-routes.ts'
import type { AppEnv } from '#ground/http/app-env.ts'

/** `/api/grants`: roles on single connections, for admins. */
export const grantRoutes = ({ grants }: AccountService) => {
  const readAdmin = (c: Context<AppEnv>) => ({ self: requirePerson(c), by: c.var.actor })
  return apiRoutes()
    .serve('GET /api/grants', () => grants.list())
    .serve('POST /api/grants', (c) => grants.add(c.req.valid('json'), readAdmin(c)))
    .serve('DELETE /api/grants/{grantId}', (c) => grants.remove(c.req.valid('param').grantId, readAdmin(c)))
}
