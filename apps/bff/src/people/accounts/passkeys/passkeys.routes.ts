import type { Context } from 'hono'
import type { PeopleCtx } from '#people/people-ctx.ts'
import { writeSession } from '#people/accounts/own-session.ts'
import { readOwnRequest, readSignInRequest, requirePerson } from '#people/accounts/request-origin.ts'
import { apiRoutes } from '#ground/http/api-routes.ts'
import type { AppEnv } from '#ground/http/app-env.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { addPasskey, listPasskeys, makePasskeyOptions, removePasskey } from './own-passkeys.ts'
import { explainNoPasskeys, findPasskeySite } from './passkey-challenges.ts'
import { makeSignInOptions, signInWithPasskey } from './sign-in-with-passkey.ts'

export const passkeyRoutes = (ctx: PeopleCtx) => {
  const { challenges, hosts } = ctx
  const requireSite = (c: Context<AppEnv>) => {
    const site = findPasskeySite(hosts, c.req.header('host'))
    if (site === null) throw new AppError('conflict', explainNoPasskeys(hosts))
    return site
  }
  return apiRoutes()
    .serve('POST /api/auth/passkey/options', async (c) => {
      const { options, token } = await makeSignInOptions(ctx, readSignInRequest(c, ctx.now()), requireSite(c))
      await challenges.writeCookie(c, token)
      return options
    })
    .serve('POST /api/auth/passkey/sign-in', async (c) => {
      const session = await signInWithPasskey(ctx, c.req.valid('json'), readSignInRequest(c, ctx.now()), requireSite(c))
      challenges.clearCookie(c)
      await writeSession(ctx, c, session)
    })
    .serve('GET /api/account/passkeys', (c) => listPasskeys(ctx, requirePerson(c).userId))
    .serve('POST /api/account/passkeys/options', async (c) => {
      const { password } = c.req.valid('json')
      const { options, token } = await makePasskeyOptions(ctx, password, readOwnRequest(c, ctx.now()), requireSite(c))
      await challenges.writeCookie(c, token)
      return options
    })
    .serve('POST /api/account/passkeys', async (c) => {
      await addPasskey(ctx, c.req.valid('json'), readOwnRequest(c, ctx.now()), requireSite(c))
      challenges.clearCookie(c)
    })
    .serve('DELETE /api/account/passkeys/{passkeyId}', (c) =>
      removePasskey(ctx, c.req.valid('param').passkeyId, readOwnRequest(c, ctx.now())),
    )
}
