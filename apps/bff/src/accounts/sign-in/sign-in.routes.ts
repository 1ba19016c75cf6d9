import { LinkPurpose, ReadLink, SignInStep, SignInWithPassword, UseLink } from '@docket/api-types/accounts'
import { createRoute } from '@hono/zod-openapi'
import type { AccountService } from '#accounts/accounts.service.ts'
import { replacedBy, signInVisit, visitOf } from '#accounts/visit.ts'
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

/** `/api/auth/sign-in/password` and `/api/links`: how people come in. */
export const signInRoutes = (accounts: AccountService) =>
  apiRoutes()
    .openapi(withPassword, async (c) => {
      const visit = await signInVisit(c, accounts)
      const { next, userId, cookies } = await accounts.signInWithPassword(c.req.valid('json'), visit)
      for (const cookie of cookies) c.header('Set-Cookie', cookie, { append: true })
      if (next === 'done') await accounts.devices.remember(c, userId)
      return send(c, SignInStep, { next })
    })
    .openapi(readLink, async (c) => {
      await accounts.countTry(c.var.address)
      return send(c, LinkPurpose, await accounts.links.read(c.req.valid('json').token, visitOf(c, accounts.now())))
    })
    .openapi(useLink, async (c) => {
      await accounts.countTry(c.var.address)
      const opened = await accounts.links.use(c.req.valid('json'), visitOf(c, accounts.now()), replacedBy(c))
      if (opened !== null) {
        await accounts.cookie.write(c, opened.token, opened.expiresAt)
        await accounts.devices.remember(c, opened.userId)
      }
      return sendNothing(c)
    })
