import type { AccountService } from '#people/accounts/accounts.service.ts'
import { readOrigin, readSignIn } from '#people/accounts/request-origin.ts'
import { apiRoute, apiRoutes } from '#ground/http/api-routes.ts'

const withPassword = apiRoute('POST', '/api/auth/sign-in/password', {
  summary: 'Sign in with e-mail address and password',
  answer: 'Signed in, or asked for the second factor next.',
})
const readLink = apiRoute('POST', '/api/links/read', {
  summary: 'What a one-time link is for; it is not used up',
  answer: 'Its purpose.',
})
const useLink = apiRoute('POST', '/api/links/use', {
  summary: 'Use a one-time link: accept an invitation, choose a password, or sign in',
  answer: 'Done, and signed in; with a second factor the sign-in comes next.',
})

/** `/api/auth/sign-in/password` and `/api/links`: the ways in for people without a session. */
export const signInRoutes = (accounts: AccountService) =>
  apiRoutes()
    .serve(withPassword, async (c) => {
      const signedIn = await accounts.signInWithPassword(c.req.valid('json'), readSignIn(c, accounts.now()))
      if (signedIn.next === 'done') await accounts.writeSession(c, signedIn.session)
      else await accounts.pendingCodes.writeCookie(c, signedIn.token)
      return { next: signedIn.next }
    })
    .serve(readLink, async (c) => {
      await accounts.countTry(c.var.address)
      return await accounts.links.read(c.req.valid('json').token, readOrigin(c, accounts.now()))
    })
    .serve(useLink, async (c) => {
      await accounts.countTry(c.var.address)
      const session = await accounts.links.redeem(c.req.valid('json'), readSignIn(c, accounts.now()))
      if (session !== null) await accounts.writeSession(c, session)
    })
