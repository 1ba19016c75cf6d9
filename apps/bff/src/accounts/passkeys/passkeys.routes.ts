import { AddPasskey, PasskeyList, ProvePassword, WebAuthnJson } from '@docket/api-types/accounts'
import { createRoute, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { AccountService } from '#accounts/accounts.service.ts'
import type { SignInMethods } from '#accounts/sign-in-methods.ts'
import { readOwn, readSignIn, requirePerson } from '#accounts/request-origin.ts'
import type { OwnHosts } from '#http/access/own-hosts.ts'
import { answers, answersNothing, apiRoutes, jsonBody } from '#http/api-routes.ts'
import type { AppEnv } from '#http/app-env.ts'
import { AppError } from '#errors/app-error.ts'
import { send, sendNothing } from '#http/send.ts'
import { explainNoPasskeys, passkeySite } from './passkey-site.ts'

const signInOptions = createRoute({
  method: 'post',
  path: '/auth/passkey/options',
  summary: 'Begin to sign in with a passkey: what the browser is to sign',
  responses: answers(WebAuthnJson, 'Options for `navigator.credentials.get`.'),
})
const signIn = createRoute({
  method: 'post',
  path: '/auth/passkey/sign-in',
  summary: 'Sign in with what the browser signed',
  request: jsonBody(WebAuthnJson),
  responses: answersNothing('Signed in.'),
})
const list = createRoute({
  method: 'get',
  path: '/account/passkeys',
  summary: "One's own passkeys",
  responses: answers(PasskeyList, 'The passkeys, the oldest first.'),
})
const addOptions = createRoute({
  method: 'post',
  path: '/account/passkeys/options',
  summary: 'Begin to add a passkey: what the browser is to make it from',
  request: jsonBody(ProvePassword),
  responses: answers(WebAuthnJson, 'Options for `navigator.credentials.create`.'),
})
const add = createRoute({
  method: 'post',
  path: '/account/passkeys',
  summary: 'Add the passkey that the browser made',
  request: jsonBody(AddPasskey),
  responses: answersNothing('It can be used now.'),
})
const remove = createRoute({
  method: 'delete',
  path: '/account/passkeys/{passkeyId}',
  summary: "Remove one of one's own passkeys",
  request: { params: z.object({ passkeyId: z.uuid() }) },
  responses: answersNothing('It is removed.'),
})

/** Passkeys: `/api/auth/passkey` to sign in, `/api/account/passkeys` to add and remove them. */
export const passkeyRoutes = (passkeys: SignInMethods['passkeys'], accounts: AccountService, hosts: OwnHosts) => {
  const { challenges } = passkeys
  const requireSite = (c: Context<AppEnv>) => {
    const site = passkeySite(hosts, c.req.header('host'))
    if (site === null) throw new AppError('conflict', explainNoPasskeys(hosts))
    return site
  }
  return apiRoutes()
    .openapi(signInOptions, async (c) => {
      const { options, token } = await passkeys.options(readSignIn(c, accounts.now()), requireSite(c))
      await challenges.writeCookie(c, token)
      return send(c, WebAuthnJson, options)
    })
    .openapi(signIn, async (c) => {
      const session = await passkeys.signIn(c.req.valid('json'), readSignIn(c, accounts.now()), requireSite(c))
      challenges.clearCookie(c)
      await accounts.writeSession(c, session)
      return sendNothing(c)
    })
    .openapi(list, async (c) => send(c, PasskeyList, await passkeys.own.list(requirePerson(c).userId)))
    .openapi(addOptions, async (c) => {
      const { password } = c.req.valid('json')
      const { options, token } = await passkeys.own.options(password, readOwn(c, accounts.now()), requireSite(c))
      await challenges.writeCookie(c, token)
      return send(c, WebAuthnJson, options)
    })
    .openapi(add, async (c) => {
      await passkeys.own.add(c.req.valid('json'), readOwn(c, accounts.now()), requireSite(c))
      challenges.clearCookie(c)
      return sendNothing(c)
    })
    .openapi(remove, async (c) => {
      await passkeys.own.remove(c.req.valid('param').passkeyId, readOwn(c, accounts.now()))
      return sendNothing(c)
    })
}
