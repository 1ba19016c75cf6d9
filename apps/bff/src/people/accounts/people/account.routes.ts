import type { AccountService } from '#people/accounts/accounts.service.ts'
import { requirePerson } from '#people/accounts/request-origin.ts'
import { apiRoute, apiRoutes } from '#ground/http/api-routes.ts'

const change = apiRoute('PATCH', '/api/account', {
  summary: "Change one's own name or e-mail address",
  answer: 'The account.',
})
const password = apiRoute('POST', '/api/account/password', {
  summary: 'Choose a password; ends every other session of the account',
  answer: 'It is changed.',
})
const sessions = apiRoute('GET', '/api/account/sessions', {
  summary: 'Where one is signed in',
  answer: 'The sessions, the latest use first.',
})
const endOthers = apiRoute('DELETE', '/api/account/sessions', {
  summary: 'End every session of the account but this one',
  answer: 'They have ended.',
})
const endOne = apiRoute('DELETE', '/api/account/sessions/{sessionId}', {
  summary: 'End one session of the account',
  answer: 'It has ended.',
})

/** `/api/account`: the account of the signed-in person. */
export const accountRoutes = (accounts: AccountService) =>
  apiRoutes()
    .serve(change, async (c) => {
      await accounts.own.change(c.req.valid('json'), requirePerson(c), c.var.actor)
      return await accounts.person(requirePerson(c).userId)
    })
    .serve(password, (c) => accounts.changePassword(c.req.valid('json'), requirePerson(c), c.var.actor))
    .serve(sessions, async (c) => {
      const { userId, sessionId } = requirePerson(c)
      return await accounts.listSessions(userId, sessionId)
    })
    .serve(endOthers, (c) => accounts.own.endOtherSessions(requirePerson(c), c.var.actor))
    .serve(endOne, (c) => accounts.own.endSession(c.req.valid('param').sessionId, requirePerson(c), c.var.actor))
