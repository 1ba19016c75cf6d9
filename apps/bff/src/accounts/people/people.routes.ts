import { AccountSessionList, ChangeUser, Invite, OneTimeLink, User, UserList } from '@docket/api-types/accounts'
import { createRoute, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { AccountService } from '#accounts/accounts.service.ts'
import type { NewLink } from '#accounts/one-time-links.ts'
import { publicOrigin, requirePerson } from '#accounts/request-origin.ts'
import { answers, answersNothing, apiRoutes, jsonBody } from '#http/api-routes.ts'
import type { AppEnv } from '#http/app-env.ts'
import { send, sendNothing } from '#http/send.ts'

const userRoute = { path: '/{userId}', request: { params: z.object({ userId: z.uuid() }) } } as const

const list = createRoute({
  method: 'get',
  path: '/',
  summary: 'Everybody with an account, and who is invited',
  responses: answers(UserList, 'People by name.'),
})
const change = createRoute({
  method: 'patch',
  path: userRoute.path,
  summary: 'Change the name or role of somebody, disable or enable them; a new role and disabling end their sessions',
  request: { ...userRoute.request, ...jsonBody(ChangeUser) },
  responses: answers(User, 'The account.'),
})
const remove = createRoute({
  method: 'delete',
  ...userRoute,
  summary: 'Delete an account, which ends its sessions',
  responses: answersNothing('It is gone.'),
})
const passwordLink = createRoute({
  method: 'post',
  path: `${userRoute.path}/password-link`,
  request: userRoute.request,
  summary: 'Make a link with which somebody chooses a password',
  responses: answers(OneTimeLink, 'The link, which is shown this once.', 201),
})
const sessions = createRoute({
  method: 'get',
  path: `${userRoute.path}/sessions`,
  request: userRoute.request,
  summary: 'Where somebody is signed in',
  responses: answers(AccountSessionList, 'The sessions, the latest use first.'),
})
const endSessions = createRoute({
  method: 'delete',
  path: `${userRoute.path}/sessions`,
  request: userRoute.request,
  summary: 'End every session of somebody',
  responses: answersNothing('They have ended.'),
})
const invite = createRoute({
  method: 'post',
  path: '/invitations',
  summary: 'Invite somebody; nothing is sent',
  request: jsonBody(Invite),
  responses: answers(OneTimeLink, 'The link to pass on, which is shown this once.', 201),
})
const revoke = createRoute({
  method: 'delete',
  path: '/invitations/{invitationId}',
  summary: 'Take an invitation back',
  request: { params: z.object({ invitationId: z.uuid() }) },
  responses: answersNothing('Its link does not work any more.'),
})

/** `/api/users`: accounts of other people, for admins. Links contain `publicUrl`. */
export const peopleRoutes = (accounts: AccountService, publicUrl: URL | null) => {
  const readAdmin = (c: Context<AppEnv>) => ({ self: requirePerson(c), by: c.var.actor })
  const sendLink = (c: Context<AppEnv>, { token, expiresAt }: NewLink) => {
    const url = `${publicOrigin(c, publicUrl)}/link#${token}`
    return send(c, OneTimeLink, { url, expiresAt: expiresAt.toISOString() }, 201)
  }
  return apiRoutes()
    .openapi(list, async (c) => send(c, UserList, await accounts.list()))
    .openapi(invite, async (c) => sendLink(c, await accounts.invitations.invite(c.req.valid('json'), c.var.actor)))
    .openapi(revoke, async (c) => {
      await accounts.invitations.revoke(c.req.valid('param').invitationId, c.var.actor)
      return sendNothing(c)
    })
    .openapi(change, async (c) => {
      const { userId } = c.req.valid('param')
      await accounts.people.change(userId, c.req.valid('json'), readAdmin(c))
      return send(c, User, await accounts.user(userId))
    })
    .openapi(remove, async (c) => {
      await accounts.people.remove(c.req.valid('param').userId, readAdmin(c))
      return sendNothing(c)
    })
    .openapi(passwordLink, async (c) =>
      sendLink(c, await accounts.invitations.passwordLink(c.req.valid('param').userId, c.var.actor)),
    )
    .openapi(sessions, async (c) => {
      const { userId } = c.req.valid('param')
      return send(c, AccountSessionList, await accounts.listSessions(userId, requirePerson(c).sessionId))
    })
    .openapi(endSessions, async (c) => {
      await accounts.people.endSessions(c.req.valid('param').userId, readAdmin(c))
      return sendNothing(c)
    })
}
