import { BackupCodes, ProvePassword, SecondFactorCode, SecondFactorSetup } from '@docket/api-types/accounts'
import { createRoute } from '@hono/zod-openapi'
import type { AccountService } from '#accounts/accounts.service.ts'
import type { SignInMethods } from '#accounts/sign-in-methods.ts'
import { readOwn, readSignIn } from '#accounts/request-origin.ts'
import { answers, answersNothing, apiRoutes, jsonBody } from '#http/api-routes.ts'
import { send, sendNothing } from '#http/send.ts'

const signIn = createRoute({
  method: 'post',
  path: '/auth/second-factor',
  summary: 'End a sign-in with a code of the authenticator app, or a backup code',
  request: jsonBody(SecondFactorCode),
  responses: answersNothing('Signed in.'),
})
const begin = createRoute({
  method: 'post',
  path: '/account/second-factor/begin',
  summary: 'Begin to set up an authenticator app',
  request: jsonBody(ProvePassword),
  responses: answers(SecondFactorSetup, 'The secret for the app.'),
})
const confirm = createRoute({
  method: 'post',
  path: '/account/second-factor/confirm',
  summary: 'Prove that the app works; from now on its codes are asked for',
  request: jsonBody(SecondFactorCode),
  responses: answers(BackupCodes, 'Codes for when the app is away. Shown once.'),
})
const remove = createRoute({
  method: 'post',
  path: '/account/second-factor/remove',
  summary: 'Remove the authenticator app and its backup codes',
  request: jsonBody(ProvePassword),
  responses: answersNothing('It is removed.'),
})

/** The second factor: `/api/auth/second-factor` to sign in with it, `/api/account/second-factor` to set it up. */
export const secondFactorRoutes = (secondFactor: SignInMethods['secondFactor'], accounts: AccountService) =>
  apiRoutes()
    .openapi(signIn, async (c) => {
      const session = await secondFactor.signIn(c.req.valid('json').code, readSignIn(c, accounts.now()))
      accounts.pendingCodes.clearCookie(c)
      await accounts.writeSession(c, session)
      return sendNothing(c)
    })
    .openapi(begin, async (c) => {
      const { password } = c.req.valid('json')
      return send(c, SecondFactorSetup, await secondFactor.own.begin(password, readOwn(c, accounts.now())))
    })
    .openapi(confirm, async (c) => {
      const { codes, session } = await secondFactor.own.confirm(c.req.valid('json').code, readOwn(c, accounts.now()))
      await accounts.writeSession(c, session)
      return send(c, BackupCodes, { codes })
    })
    .openapi(remove, async (c) => {
      const session = await secondFactor.own.remove(c.req.valid('json').password, readOwn(c, accounts.now()))
      await accounts.writeSession(c, session)
      return sendNothing(c)
    })
