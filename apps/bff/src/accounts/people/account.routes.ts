import { AccountSessionList, ChangeAccount, ChangePassword } from '@docket/api-types/accounts'
import { Person } from '@docket/api-types/session'
import { createRoute, z } from '@hono/zod-openapi'
import type { AccountService } from '#accounts/accounts.service.ts'
import { requirePerson } from '#accounts/request-origin.ts'
import { answers, answersNothing, apiRoutes, jsonBody } from '#http/api-routes.ts'
import { send, sendNothing } from '#http/send.ts'

const change = createRoute({
  method: 'patch',
  path: '/',
  summary: "Change one's own name or e-mail address",
  request: jsonBody(ChangeAccount),
  responses: answers(Person, 'The account.'),
})
const password = createRoute({
  method: 'post',
  path: '/password',
  summary: 'Choose a password; ends every other session of the account',
  request: jsonBody(ChangePassword),
  responses: answersNothing('It is changed.'),
})
const sessions = createRoute({
  method: 'get',
  path: '/sessions',
  summary: 'Where one is signed in',
  responses: answers(AccountSessionList, 'The sessions, the latest use first.'),
})
const endOthers = createRoute({
  method: 'delete',
  path: '/sessions',
  summary: 'End every session of the account but this one',
  responses: answersNothing('They have ended.'),
})
const endOne = createRoute({
  method: 'delete',
  path: '/sessions/{sessionId}',
  summary: 'End one session of the account',
  request: { params: z.object({ sessionId: z.uuid() }) },
  responses: answersNothing('It has ended.'),
})

/** `/api/account`: the account of the signed-in person. */
export const accountRoutes = (accounts: AccountService) =>
  apiRoutes()
    .openapi(change, async (c) => {
      await accounts.own.change(c.req.valid('json'), requirePerson(c), c.var.actor)
      return send(c, Person, await accounts.person(requirePerson(c).userId))
    })
    .openapi(password, async (c) => {
      await accounts.changePassword(c.req.valid('json'), requirePerson(c), c.var.actor)
      return sendNothing(c)
    })
    .openapi(sessions, async (c) => {
      const { userId, sessionId } = requirePerson(c)
      return send(c, AccountSessionList, await accounts.listSessions(userId, sessionId))
    })
    .openapi(endOthers, async (c) => {
      await accounts.own.endOtherSessions(requirePerson(c), c.var.actor)
      return sendNothing(c)
    })
    .openapi(endOne, async (c) => {
      await accounts.own.endSession(c.req.valid('param').sessionId, requirePerson(c), c.var.actor)
      return sendNothing(c)
    })
