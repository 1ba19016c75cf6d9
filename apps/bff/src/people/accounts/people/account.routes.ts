import type { PeopleCtx } from '#people/people-ctx.ts'
import { readPerson } from '#people/accounts/own-session.ts'
import { requirePerson } from '#people/accounts/request-origin.ts'
import { changePassword } from '#people/accounts/sign-in/own-password.ts'
import { apiRoutes } from '#ground/http/api-routes.ts'
import { changeAccount, endOtherSessions, endSession, listSessions } from './own-account.ts'

export const accountRoutes = (ctx: PeopleCtx) =>
  apiRoutes()
    .serve('PATCH /api/account', async (c) => {
      await changeAccount(ctx, c.req.valid('json'), requirePerson(c), c.var.actor)
      return await readPerson(ctx, requirePerson(c).userId)
    })
    .serve('POST /api/account/password', (c) => changePassword(ctx, c.req.valid('json'), requirePerson(c), c.var.actor))
    .serve('GET /api/account/sessions', async (c) => {
      const { userId, sessionId } = requirePerson(c)
      return await listSessions(ctx, userId, sessionId)
    })
    .serve('DELETE /api/account/sessions', (c) => endOtherSessions(ctx, requirePerson(c), c.var.actor))
    .serve('DELETE /api/account/sessions/{sessionId}', (c) =>
      endSession(ctx, c.req.valid('param').sessionId, requirePerson(c), c.var.actor),
    )
