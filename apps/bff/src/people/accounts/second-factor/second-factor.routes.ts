import type { AccountService } from '#people/accounts/accounts.service.ts'
import type { SignInMethods } from '#people/accounts/sign-in-methods.ts'
import { readOwn, readSignIn } from '#people/accounts/request-origin.ts'
import { apiRoute, apiRoutes } from '#ground/http/api-routes.ts'

const signIn = apiRoute('POST', '/api/auth/second-factor', {
  summary: 'End a sign-in with a code of the authenticator app, or a backup code',
  answer: 'Signed in.',
})
const begin = apiRoute('POST', '/api/account/second-factor/begin', {
  summary: 'Begin to set up an authenticator app',
  answer: 'The secret for the app.',
})
const confirm = apiRoute('POST', '/api/account/second-factor/confirm', {
  summary: 'Prove that the app works; from now on its codes are asked for',
  answer: 'Codes for when the app is away. Shown once.',
})
const remove = apiRoute('POST', '/api/account/second-factor/remove', {
  summary: 'Remove the authenticator app and its backup codes',
  answer: 'It is removed.',
})

/** `/api/auth/second-factor` signs in with the second factor, `/api/account/second-factor` sets it up. */
export const secondFactorRoutes = (secondFactor: SignInMethods['secondFactor'], accounts: AccountService) =>
  apiRoutes()
    .serve(signIn, async (c) => {
      const session = await secondFactor.signIn(c.req.valid('json').code, readSignIn(c, accounts.now()))
      accounts.pendingCodes.clearCookie(c)
      await accounts.writeSession(c, session)
    })
    .serve(begin, async (c) => {
      const { password } = c.req.valid('json')
      return await secondFactor.own.begin(password, readOwn(c, accounts.now()))
    })
    .serve(confirm, async (c) => {
      const { codes, session } = await secondFactor.own.confirm(c.req.valid('json').code, readOwn(c, accounts.now()))
      await accounts.writeSession(c, session)
      return { codes }
    })
    .serve(remove, async (c) => {
      const session = await secondFactor.own.remove(c.req.valid('json').password, readOwn(c, accounts.now()))
      await accounts.writeSession(c, session)
    })
