import type { AccountService } from '#people/accounts/accounts.service.ts'
import { requirePerson } from '#people/accounts/request-origin.ts'
import { apiRoutes } from '#ground/http/api-routes.ts'

/** `/api/account`: the account of the signed-in person. */
export const accountRoutes = (accounts: AccountService) =>
  apiRoutes()
    .serve('PATCH /api/account', async (c) => {
      await accounts.own.change(c.req.valid('json'), requirePerson(c), c.var.actor)
      return await accounts.person(requirePerson(c).userId)
    })
    .serve('POST /api/account/password', (c) =>
      accounts.changePassword(c.req.valid('json'), requirePerson(c), c.var.actor),
    )
    .serve('GET /api/account/sessions', async (c) => {
      const { userId, sessionId } = requirePerson(c)
      return await accounts.listSessions(userId, sessionId)
    })
    .serve('DELETE /api/account/sessions', (c) => accounts.own.endOtherSessions(requirePerson(c), c.var.actor))
    .serve('DELETE /api/account/sessions/{sessionId}', (c) =>
      accounts.own.endSession(c.req.valid('param').sessionId, requirePerson(c), c.var.actor),
    )
