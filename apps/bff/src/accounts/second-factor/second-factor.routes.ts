import { BackupCodes, ProvePassword, SecondFactorCode, SecondFactorSetup } from '@docket/api-types/accounts'
import { createRoute } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { AccountService } from '#accounts/accounts.service.ts'
import type { OtherWays } from '#accounts/other-ways.ts'
import { personOf, signInVisit } from '#accounts/visit.ts'
import { answers, answersNothing, apiRoutes, jsonBody } from '#http/api-routes.ts'
import type { AppEnv } from '#http/app-env.ts'
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
export const secondFactorRoutes = (secondFactor: OtherWays['secondFactor'], accounts: AccountService) => {
  const own = async (c: Context<AppEnv>) => ({ ...(await signInVisit(c, accounts)), person: personOf(c) })
  const set = (c: Context<AppEnv>, cookies: readonly string[]) => {
    for (const cookie of cookies) c.header('Set-Cookie', cookie, { append: true })
  }
  return apiRoutes()
    .openapi(signIn, async (c) => {
      const { userId, cookies } = await secondFactor.signIn(c.req.valid('json').code, await signInVisit(c, accounts))
      set(c, cookies)
      await accounts.devices.remember(c, userId)
      return sendNothing(c)
    })
    .openapi(begin, async (c) =>
      send(c, SecondFactorSetup, await secondFactor.own.begin(c.req.valid('json').password, await own(c))),
    )
    .openapi(confirm, async (c) => {
      const { codes, cookies } = await secondFactor.own.confirm(c.req.valid('json').code, await own(c))
      set(c, cookies)
      return send(c, BackupCodes, { codes })
    })
    .openapi(remove, async (c) => {
      set(c, await secondFactor.own.remove(c.req.valid('json').password, await own(c)))
      return sendNothing(c)
    })
}
