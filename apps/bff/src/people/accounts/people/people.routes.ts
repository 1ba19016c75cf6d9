import type { Context } from 'hono'
import type { PeopleCtx } from '#people/people-ctx.ts'
import type { NewLink } from '#people/accounts/one-time-links.ts'
import { findPublicOrigin, requirePerson } from '#people/accounts/request-origin.ts'
import { apiRoutes } from '#ground/http/api-routes.ts'
import type { AppEnv } from '#ground/http/app-env.ts'
import { changePerson, endPersonSessions, removePerson } from './change-people.ts'
import { invitePerson, makePasswordLink, revokeInvitation } from './invitations.ts'
import { listSessions } from './own-account.ts'
import { listUsers, readUser } from './user-list.ts'

export const peopleRoutes = (ctx: PeopleCtx) => {
  const readAdmin = (c: Context<AppEnv>) => ({ self: requirePerson(c), by: c.var.actor })
  const withUrl = (c: Context<AppEnv>, { token, expiresAt }: NewLink) => {
    const url = `${findPublicOrigin(c, ctx.hosts.publicUrl)}/link#${token}`
    return { url, expiresAt: expiresAt.toISOString() }
  }
  return apiRoutes()
    .serve('GET /api/users', () => listUsers(ctx))
    .serve('POST /api/users/invitations', async (c) =>
      withUrl(c, await invitePerson(ctx, c.req.valid('json'), c.var.actor)),
    )
    .serve('DELETE /api/users/invitations/{invitationId}', (c) =>
      revokeInvitation(ctx, c.req.valid('param').invitationId, c.var.actor),
    )
    .serve('PATCH /api/users/{userId}', async (c) => {
      const { userId } = c.req.valid('param')
      await changePerson(ctx, userId, c.req.valid('json'), readAdmin(c))
      return readUser(ctx, userId)
    })
    .serve('DELETE /api/users/{userId}', (c) =>
      removePerson(ctx, c.req.valid('param').userId, { ...readAdmin(c), ...c.req.valid('query') }),
    )
    .serve('POST /api/users/{userId}/password-link', async (c) =>
      withUrl(c, await makePasswordLink(ctx, c.req.valid('param').userId, c.var.actor)),
    )
    .serve('GET /api/users/{userId}/sessions', async (c) => {
      const { userId } = c.req.valid('param')
      return listSessions(ctx, userId, requirePerson(c).sessionId)
    })
    .serve('DELETE /api/users/{userId}/sessions', (c) =>
      endPersonSessions(ctx, c.req.valid('param').userId, readAdmin(c)),
    )
}
