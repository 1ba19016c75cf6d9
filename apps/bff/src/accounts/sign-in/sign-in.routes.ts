import { LinkPurpose, ReadLink, SignInStep, SignInWithPassword, UseLink } from '@docket/api-types/accounts'
import { createRoute } from '@hono/zod-openapi'
import type { AccountService } from '#accounts/accounts.service.ts'
import { readOrigin, readSignIn } from '#accounts/request-origin.ts'
import { answers, answersNothing, apiRoutes, jsonBody } from '#http/api-routes.ts'
import { send, sendNothing } from '#http/send.ts'

const withPassword = createRoute({
  method: 'post',
  path: '/auth/sign-in/password',
  summary: 'Sign in with e-mail address and password',
  request: jsonBody(SignInWithPassword),
  responses: answers(SignInStep, 'Signed in, or asked for the second factor next.'),
})
const readLink = createRoute({
  method: 'post',
  path: '/links/read',
  summary: 'What a one-time link is for; it is not used up',
  request: jsonBody(ReadLink),
  responses: answers(LinkPurpose, 'Its purpose.'),
})
const useLink = createRoute({
  method: 'post',
  path: '/links/use',
  summary: 'Use a one-time link: accept an invitation, choose a password, or sign in',
  request: jsonBody(UseLink),
  responses: answersNothing('Done, and signed in; with a second factor the sign-in comes next.'),
})

/** `/api/auth/sign-in/password` and `/api/links`: the ways in for people without a session. */
export const signInRoutes = (accounts: AccountService) =>
  apiRoutes()
    .openapi(withPassword, async (c) => {
      const signedIn = await accounts.signInWithPassword(c.req.valid('json'), readSignIn(c, accounts.now()))
      if (signedIn.next === 'done') await accounts.writeSession(c, signedIn.session)
      else await accounts.pendingCodes.writeCookie(c, signedIn.token)
      return send(c, SignInStep, { next: signedIn.next })
    })
    .openapi(readLink, async (c) => {
      await accounts.countTry(c.var.address)
      return send(c, LinkPurpose, await accounts.links.read(c.req.valid('json').token, readOrigin(c, accounts.now())))
    })
    .openapi(useLink, async (c) => {
      await accounts.countTry(c.var.address)
      const session = await accounts.links.redeem(c.req.valid('json'), readSignIn(c, accounts.now()))
      if (session !== null) await accounts.writeSession(c, session)
      return sendNothing(c)
    })
