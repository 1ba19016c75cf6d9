import type { Context } from 'hono'
import type { AccountService } from '#people/accounts/accounts.service.ts'
import type { NewLink } from '#people/accounts/one-time-links.ts'
import { publicOrigin, requirePerson } from '#people/accounts/request-origin.ts'
import { apiRoutes } from '#ground/http/api-routes.ts'
import type { AppEnv } from '#ground/http/app-env.ts'

/** `/api/users`: accounts of other people, for admins. Links contain `publicUrl`. */
export const peopleRoutes = (accounts: AccountService, publicUrl: URL | null) => {
  const readAdmin = (c: Context<AppEnv>) => ({ self: requirePerson(c), by: c.var.actor })
  const withUrl = (c: Context<AppEnv>, { token, expiresAt }: NewLink) => {
    const url = `${publicOrigin(c, publicUrl)}/link#${token}`
    return { url, expiresAt: expiresAt.toISOString() }
  }
  return apiRoutes()
    .serve('GET /api/users', () => accounts.list())
    .serve('POST /api/users/invitations', async (c) =>
      withUrl(c, await accounts.invitations.invite(c.req.valid('json'), c.var.actor)),
    )
    .serve('DELETE /api/users/invitations/{invitationId}', (c) =>
      accounts.invitations.revoke(c.req.valid('param').invitationId, c.var.actor),
    )
    .serve('PATCH /api/users/{userId}', async (c) => {
      const { userId } = c.req.valid('param')
      await accounts.people.change(userId, c.req.valid('json'), readAdmin(c))
      return accounts.user(userId)
    })
    .serve('DELETE /api/users/{userId}', (c) =>
      accounts.people.remove(c.req.valid('param').userId, { ...readAdmin(c), ...c.req.valid('query') }),
    )
    .serve('POST /api/users/{userId}/password-link', async (c) =>
      withUrl(c, await accounts.invitations.passwordLink(c.req.valid('param').userId, c.var.actor)),
    )
    .serve('GET /api/users/{userId}/sessions', async (c) => {
      const { userId } = c.req.valid('param')
      return accounts.listSessions(userId, requirePerson(c).sessionId)
    })
    .serve('DELETE /api/users/{userId}/sessions', (c) =>
      accounts.people.endSessions(c.req.valid('param').userId, readAdmin(c)),
    )
}
