import type { Context } from 'hono'
import type { AccountService } from '#people/accounts/accounts.service.ts'
import { requirePerson } from '#people/accounts/request-origin.ts'
import { apiRoute, apiRoutes } from '#ground/http/api-routes.ts'
import type { AppEnv } from '#ground/http/app-env.ts'

const list = apiRoute('GET', '/api/grants', {
  summary: 'Roles of people and groups on single connections',
  answer: 'The roles, the oldest first.',
})
const add = apiRoute('POST', '/api/grants', {
  summary: 'Give a person or a group a role on a connection; nobody grants themselves anything',
  answer: 'The role. It replaces the one they had there.',
  status: 201,
})
const remove = apiRoute('DELETE', '/api/grants/{grantId}', {
  summary: 'Take a role on a connection away',
  answer: 'It counts no more, from the next request on.',
})

/** `/api/grants`: roles on single connections, for admins. */
export const grantRoutes = ({ grants }: AccountService) => {
  const readAdmin = (c: Context<AppEnv>) => ({ self: requirePerson(c), by: c.var.actor })
  return apiRoutes()
    .serve(list, () => grants.list())
    .serve(add, (c) => grants.add(c.req.valid('json'), readAdmin(c)))
    .serve(remove, (c) => grants.remove(c.req.valid('param').grantId, readAdmin(c)))
}
