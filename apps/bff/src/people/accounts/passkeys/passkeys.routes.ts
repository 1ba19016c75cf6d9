import type { Context } from 'hono'
import type { AccountService } from '#people/accounts/accounts.service.ts'
import type { SignInMethods } from '#people/accounts/sign-in-methods.ts'
import { readOwn, readSignIn, requirePerson } from '#people/accounts/request-origin.ts'
import type { OwnHosts } from '#ground/http/access/own-hosts.ts'
import { apiRoute, apiRoutes } from '#ground/http/api-routes.ts'
import type { AppEnv } from '#ground/http/app-env.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { explainNoPasskeys, passkeySite } from './passkey-challenges.ts'

const signInOptions = apiRoute('POST', '/api/auth/passkey/options', {
  summary: 'Begin to sign in with a passkey: what the browser is to sign',
  answer: 'Options for `navigator.credentials.get`.',
})
const signIn = apiRoute('POST', '/api/auth/passkey/sign-in', {
  summary: 'Sign in with what the browser signed',
  answer: 'Signed in.',
})
const list = apiRoute('GET', '/api/account/passkeys', {
  summary: "One's own passkeys",
  answer: 'The passkeys, the oldest first.',
})
const addOptions = apiRoute('POST', '/api/account/passkeys/options', {
  summary: 'Begin to add a passkey: what the browser is to make it from',
  answer: 'Options for `navigator.credentials.create`.',
})
const add = apiRoute('POST', '/api/account/passkeys', {
  summary: 'Add the passkey that the browser made',
  answer: 'It can be used now.',
})
const remove = apiRoute('DELETE', '/api/account/passkeys/{passkeyId}', {
  summary: "Remove one of one's own passkeys",
  answer: 'It is removed.',
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
    .serve(signInOptions, async (c) => {
      const { options, token } = await passkeys.options(readSignIn(c, accounts.now()), requireSite(c))
      await challenges.writeCookie(c, token)
      return options
    })
    .serve(signIn, async (c) => {
      const session = await passkeys.signIn(c.req.valid('json'), readSignIn(c, accounts.now()), requireSite(c))
      challenges.clearCookie(c)
      await accounts.writeSession(c, session)
    })
    .serve(list, (c) => passkeys.own.list(requirePerson(c).userId))
    .serve(addOptions, async (c) => {
      const { password } = c.req.valid('json')
      const { options, token } = await passkeys.own.options(password, readOwn(c, accounts.now()), requireSite(c))
      await challenges.writeCookie(c, token)
      return options
    })
    .serve(add, async (c) => {
      await passkeys.own.add(c.req.valid('json'), readOwn(c, accounts.now()), requireSite(c))
      challenges.clearCookie(c)
    })
    .serve(remove, (c) => passkeys.own.remove(c.req.valid('param').passkeyId, readOwn(c, accounts.now())))
}
