import type { Context } from 'hono'
import type { AccountService } from '#people/accounts/accounts.service.ts'
import type { NewLink } from '#people/accounts/one-time-links.ts'
import { publicOrigin, requirePerson } from '#people/accounts/request-origin.ts'
import { apiRoute, apiRoutes } from '#ground/http/api-routes.ts'
import type { AppEnv } from '#ground/http/app-env.ts'

const list = apiRoute('GET', '/api/users', {
  summary: 'Everybody with an account, and who is invited',
  answer: 'People by name.',
})
const change = apiRoute('PATCH', '/api/users/{userId}', {
  summary:
    'Change the name or role of somebody, or whether they may prompt agents; disable or enable them. A new role and disabling end their sessions',
  answer: 'The account.',
})
const remove = apiRoute('DELETE', '/api/users/{userId}', {
  summary: 'Delete an account, which ends its sessions and its API tokens; tokens can be handed over to you instead',
  answer: 'It is gone.',
})
const passwordLink = apiRoute('POST', '/api/users/{userId}/password-link', {
  summary: 'Make a link with which somebody chooses a password',
  answer: 'The link, which is shown this once.',
  status: 201,
})
const sessions = apiRoute('GET', '/api/users/{userId}/sessions', {
  summary: 'Where somebody is signed in',
  answer: 'The sessions, the latest use first.',
})
const endSessions = apiRoute('DELETE', '/api/users/{userId}/sessions', {
  summary: 'End every session of somebody',
  answer: 'They have ended.',
})
const invite = apiRoute('POST', '/api/users/invitations', {
  summary: 'Invite somebody; nothing is sent',
  answer: 'The link to pass on, which is shown this once.',
  status: 201,
})
const revoke = apiRoute('DELETE', '/api/users/invitations/{invitationId}', {
  summary: 'Take an invitation back',
  answer: 'Its link does not work any more.',
})

/** `/api/users`: accounts of other people, for admins. Links contain `publicUrl`. */
export const peopleRoutes = (accounts: AccountService, publicUrl: URL | null) => {
  const readAdmin = (c: Context<AppEnv>) => ({ self: requirePerson(c), by: c.var.actor })
  const withUrl = (c: Context<AppEnv>, { token, expiresAt }: NewLink) => {
    const url = `${publicOrigin(c, publicUrl)}/link#${token}`
    return { url, expiresAt: expiresAt.toISOString() }
  }
  return apiRoutes()
    .serve(list, () => accounts.list())
    .serve(invite, async (c) => withUrl(c, await accounts.invitations.invite(c.req.valid('json'), c.var.actor)))
    .serve(revoke, (c) => accounts.invitations.revoke(c.req.valid('param').invitationId, c.var.actor))
    .serve(change, async (c) => {
      const { userId } = c.req.valid('param')
      await accounts.people.change(userId, c.req.valid('json'), readAdmin(c))
      return accounts.user(userId)
    })
    .serve(remove, (c) =>
      accounts.people.remove(c.req.valid('param').userId, { ...readAdmin(c), ...c.req.valid('query') }),
    )
    .serve(passwordLink, async (c) =>
      withUrl(c, await accounts.invitations.passwordLink(c.req.valid('param').userId, c.var.actor)),
    )
    .serve(sessions, async (c) => {
      const { userId } = c.req.valid('param')
      return accounts.listSessions(userId, requirePerson(c).sessionId)
    })
    .serve(endSessions, (c) => accounts.people.endSessions(c.req.valid('param').userId, readAdmin(c)))
}
