import type { AccountService } from '#people/accounts/accounts.service.ts'
import type { SignInMethods } from '#people/accounts/sign-in-methods.ts'
import { readOwn, readSignIn } from '#people/accounts/request-origin.ts'
import { apiRoutes } from '#ground/http/api-routes.ts'

/** `/api/auth/second-factor` signs in with the second factor, `/api/account/second-factor` sets it up. */
export const secondFactorRoutes = (secondFactor: SignInMethods['secondFactor'], accounts: AccountService) =>
  apiRoutes()
    .serve('POST /api/auth/second-factor', async (c) => {
      const session = await secondFactor.signIn(c.req.valid('json').code, readSignIn(c, accounts.now()))
      accounts.pendingCodes.clearCookie(c)
      await accounts.writeSession(c, session)
    })
    .serve('POST /api/account/second-factor/begin', async (c) => {
      const { password } = c.req.valid('json')
      return await secondFactor.own.begin(password, readOwn(c, accounts.now()))
    })
    .serve('POST /api/account/second-factor/confirm', async (c) => {
      const { codes, session } = await secondFactor.own.confirm(c.req.valid('json').code, readOwn(c, accounts.now()))
      await accounts.writeSession(c, session)
      return { codes }
    })
    .serve('POST /api/account/second-factor/remove', async (c) => {
      const session = await secondFactor.own.remove(c.req.valid('json').password, readOwn(c, accounts.now()))
      await accounts.writeSession(c, session)
    })
