import type { PeopleCtx } from '#people/people-ctx.ts'
import { writeSession } from '#people/accounts/own-session.ts'
import { readOwnRequest, readSignInRequest } from '#people/accounts/request-origin.ts'
import { apiRoutes } from '#ground/http/api-routes.ts'
import { beginSecondFactor, confirmSecondFactor, removeSecondFactor } from './own-second-factor.ts'
import { signInWithCode } from './sign-in-with-code.ts'

export const secondFactorRoutes = (ctx: PeopleCtx) =>
  apiRoutes()
    .serve('POST /api/auth/second-factor', async (c) => {
      const session = await signInWithCode(ctx, c.req.valid('json').code, readSignInRequest(c, ctx.now()))
      ctx.pendingCodes.clearCookie(c)
      await writeSession(ctx, c, session)
    })
    .serve('POST /api/account/second-factor/begin', async (c) => {
      const { password } = c.req.valid('json')
      return await beginSecondFactor(ctx, password, readOwnRequest(c, ctx.now()))
    })
    .serve('POST /api/account/second-factor/confirm', async (c) => {
      const { codes, session } = await confirmSecondFactor(ctx, c.req.valid('json').code, readOwnRequest(c, ctx.now()))
      await writeSession(ctx, c, session)
      return { codes }
    })
    .serve('POST /api/account/second-factor/remove', async (c) => {
      const session = await removeSecondFactor(ctx, c.req.valid('json').password, readOwnRequest(c, ctx.now()))
      await writeSession(ctx, c, session)
    })
