import type { AccountService } from '#people/accounts/accounts.service.ts'
import { readOrigin, readSignIn } from '#people/accounts/request-origin.ts'
import { apiRoutes } from '#ground/http/api-routes.ts'

/** `/api/auth/sign-in/password` and `/api/links`: the ways in for people without a session. */
export const signInRoutes = (accounts: AccountService) =>
  apiRoutes()
    .serve('POST /api/auth/sign-in/password', async (c) => {
      const signedIn = await accounts.signInWithPassword(c.req.valid('json'), readSignIn(c, accounts.now()))
      if (signedIn.next === 'done') await accounts.writeSession(c, signedIn.session)
      else await accounts.pendingCodes.writeCookie(c, signedIn.token)
      return { next: signedIn.next }
    })
    .serve('POST /api/links/read', async (c) => {
      await accounts.countTry(c.var.address)
      return await accounts.links.read(c.req.valid('json').token, readOrigin(c, accounts.now()))
    })
    .serve('POST /api/links/use', async (c) => {
      await accounts.countTry(c.var.address)
      const session = await accounts.links.redeem(c.req.valid('json'), readSignIn(c, accounts.now()))
      if (session !== null) await accounts.writeSession(c, session)
    })
