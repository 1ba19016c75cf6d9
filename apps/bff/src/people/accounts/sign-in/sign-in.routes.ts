import type { PeopleCtx } from '#people/people-ctx.ts'
import { countLinkAttempt, writeSession } from '#people/accounts/own-session.ts'
import { readOrigin, readSignInRequest } from '#people/accounts/request-origin.ts'
import { apiRoutes } from '#ground/http/api-routes.ts'
import { signInWithPassword } from './password-sign-in.ts'
import { readLink, redeemLink } from './redeem-link.ts'

export const signInRoutes = (ctx: PeopleCtx) =>
  apiRoutes()
    .serve('POST /api/auth/sign-in/password', async (c) => {
      const signedIn = await signInWithPassword(ctx, c.req.valid('json'), readSignInRequest(c, ctx.now()))
      if (signedIn.next === 'done') await writeSession(ctx, c, signedIn.session)
      else await ctx.pendingCodes.writeCookie(c, signedIn.token)
      return { next: signedIn.next }
    })
    .serve('POST /api/links/read', async (c) => {
      await countLinkAttempt(ctx, c.var.address)
      return await readLink(ctx, c.req.valid('json').token, readOrigin(c, ctx.now()))
    })
    .serve('POST /api/links/use', async (c) => {
      await countLinkAttempt(ctx, c.var.address)
      const session = await redeemLink(ctx, c.req.valid('json'), readSignInRequest(c, ctx.now()))
      if (session !== null) await writeSession(ctx, c, session)
    })
