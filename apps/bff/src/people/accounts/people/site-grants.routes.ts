import type { Context } from 'hono'
import type { AccountService } from '#people/accounts/accounts.service.ts'
import { requirePerson } from '#people/accounts/request-origin.ts'
import { apiRoute, apiRoutes } from '#ground/http/api-routes.ts'
import type { AppEnv } from '#ground/http/app-env.ts'

const list = apiRoute('GET', '/api/site-grants', {
  summary: 'Roles of people and groups for single sites and channels',
  answer: 'The roles, the oldest first.',
})
const add = apiRoute('POST', '/api/site-grants', {
  summary: 'Give a person or a group a role for a site or a channel; nobody grants themselves anything',
  answer: 'The role. It replaces the one they had there.',
  status: 201,
})
const remove = apiRoute('DELETE', '/api/site-grants/{grantId}', {
  summary: 'Take a role for a site or a channel away',
  answer: 'It counts no more, from the next request on.',
})

/** `/api/site-grants`: roles for single sites and channels, for admins. */
export const siteGrantRoutes = ({ siteGrants }: Pick<AccountService, 'siteGrants'>) => {
  const readAdmin = (c: Context<AppEnv>) => ({ self: requirePerson(c), by: c.var.actor })
  return apiRoutes()
    .serve(list, () => siteGrants.list())
    .serve(add, (c) => siteGrants.add(c.req.valid('json'), readAdmin(c)))
    .serve(remove, (c) => siteGrants.remove(c.req.valid('param').grantId, readAdmin(c)))
}
