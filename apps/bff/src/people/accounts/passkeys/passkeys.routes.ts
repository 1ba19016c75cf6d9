import type { Context } from 'hono'
import type { AccountService } from '#people/accounts/accounts.service.ts'
import type { SignInMethods } from '#people/accounts/sign-in-methods.ts'
import { readOwn, readSignIn, requirePerson } from '#people/accounts/request-origin.ts'
import type { OwnHosts } from '#ground/http/access/own-hosts.ts'
import { apiRoutes } from '#ground/http/api-routes.ts'
import type { AppEnv } from '#ground/http/app-env.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { explainNoPasskeys, passkeySite } from './passkey-challenges.ts'

/** Passkeys: `/api/auth/passkey` to sign in, `/api/account/passkeys` to add and remove them. */
export const passkeyRoutes = (passkeys: SignInMethods['passkeys'], accounts: AccountService, hosts: OwnHosts) => {
  const { challenges } = passkeys
  const requireSite = (c: Context<AppEnv>) => {
    const site = passkeySite(hosts, c.req.header('host'))
    if (site === null) throw new AppError('conflict', explainNoPasskeys(hosts))
    return site
  }
  return apiRoutes()
    .serve('POST /api/auth/passkey/options', async (c) => {
      const { options, token } = await passkeys.options(readSignIn(c, accounts.now()), requireSite(c))
      await challenges.writeCookie(c, token)
      return options
    })
    .serve('POST /api/auth/passkey/sign-in', async (c) => {
      const session = await passkeys.signIn(c.req.valid('json'), readSignIn(c, accounts.now()), requireSite(c))
      challenges.clearCookie(c)
      await accounts.writeSession(c, session)
    })
    .serve('GET /api/account/passkeys', (c) => passkeys.own.list(requirePerson(c).userId))
    .serve('POST /api/account/passkeys/options', async (c) => {
      const { password } = c.req.valid('json')
      const { options, token } = await passkeys.own.options(password, readOwn(c, accounts.now()), requireSite(c))
      await challenges.writeCookie(c, token)
      return options
    })
    .serve('POST /api/account/passkeys', async (c) => {
      await passkeys.own.add(c.req.valid('json'), readOwn(c, accounts.now()), requireSite(c))
      challenges.clearCookie(c)
    })
    .serve('DELETE /api/account/passkeys/{passkeyId}', (c) =>
      passkeys.own.remove(c.req.valid('param').passkeyId, readOwn(c, accounts.now())),
    )
}
