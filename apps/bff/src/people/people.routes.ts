import { apiRoutes } from '#ground/http/api-routes.ts'
import type { PeopleCtx } from './people-ctx.ts'
import {
  countLinkAttempt,
  describeSession,
  handOverToOwnName,
  signOut,
  continueHandedOverSession,
  writeSession,
  readPerson,
} from './accounts/own-session.ts'
import { checkSetupLink, createFirstAdmin } from './accounts/setup.ts'
import { findSignOutUrl } from './accounts/oidc/oidc.service.ts'
import {
  findPublicOrigin,
  readOrigin,
  requirePerson,
  readSignInRequest,
  readOwnRequest,
} from './accounts/request-origin.ts'
import { signInWithPassword } from './accounts/sign-in/password-sign-in.ts'
import { readLink, redeemLink } from './accounts/sign-in/redeem-link.ts'
import { changePassword } from './accounts/sign-in/own-password.ts'
import { changeAccount, endOtherSessions, endSession, listSessions } from './accounts/people/own-account.ts'
import { changeView, listViews, removeView, saveView } from './saved-views/saved-views.ts'
import type { Context } from 'hono'
import type { NewLink } from './accounts/one-time-links.ts'
import type { AppEnv } from '#ground/http/app-env.ts'
import { changePerson, endPersonSessions, removePerson } from './accounts/people/change-people.ts'
import { invitePerson, makePasswordLink, revokeInvitation } from './accounts/people/invitations.ts'
import { listUsers, readUser } from './accounts/people/user-list.ts'
import { addGrant, listGrants, removeGrant } from './accounts/people/grants.ts'
import { addSiteGrant, listSiteGrants, removeSiteGrant } from './accounts/people/site-grants.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
} from './accounts/second-factor/own-second-factor.ts'
import { signInWithCode } from './accounts/second-factor/sign-in-with-code.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { addPasskey, listPasskeys, makePasskeyOptions, removePasskey } from './accounts/passkeys/own-passkeys.ts'
import { explainNoPasskeys, findPasskeySite } from './accounts/passkeys/passkey-challenges.ts'
import { makeSignInOptions, signInWithPasskey } from './accounts/passkeys/sign-in-with-passkey.ts'
import { createToken, handOverToken, listTokens, revokeToken } from './tokens/api-tokens.service.ts'

export const peopleRoutes = (ctx: PeopleCtx) => {
  const { challenges, hosts } = ctx
  const readAdmin = (c: Context<AppEnv>) => ({ self: requirePerson(c), by: c.var.actor })
  const withUrl = (c: Context<AppEnv>, { token, expiresAt }: NewLink) => {
    const url = `${findPublicOrigin(c, hosts.publicUrl)}/link#${token}`
    return { url, expiresAt: expiresAt.toISOString() }
  }
  const requireSite = (c: Context<AppEnv>) => {
    const site = findPasskeySite(hosts, c.req.header('host'))
    if (site === null) throw new AppError('conflict', explainNoPasskeys(hosts))
    return site
  }
  return apiRoutes()
    .serve('GET /api/session', (c) =>
      describeSession(ctx, c.var.identity, { address: c.req.header('host'), cookie: c.req.header('cookie') }),
    )
    .serve('DELETE /api/session', async (c) => {
      if (c.var.identity?.kind === 'person') await signOut(ctx, c.var.identity, c.var.actor)
      ctx.cookie.clear(c)
    })
    .serve('POST /api/auth/sign-out', async (c) => {
      const { identity, actor } = c.var
      const sid = identity?.kind === 'person' ? await signOut(ctx, identity, actor) : null
      ctx.cookie.clear(c)
      return { url: await findSignOutUrl(ctx, sid, findPublicOrigin(c, ctx.hosts.publicUrl)) }
    })
    .serve('POST /api/account/sessions/handover', async (c) => {
      const handover = await handOverToOwnName(ctx, requirePerson(c), c.req.header('host'))
      ctx.cookie.clear(c)
      ctx.devices.forget(c)
      return { handover }
    })
    .serve('POST /api/session', async (c) =>
      writeSession(ctx, c, await continueHandedOverSession(ctx, c.req.valid('json').handover)),
    )
    .serve('POST /api/setup/check', async (c) => {
      await countLinkAttempt(ctx, c.var.address)
      await checkSetupLink(ctx, c.req.valid('json').token)
    })
    .serve('POST /api/setup', async (c) => {
      await countLinkAttempt(ctx, c.var.address)
      await writeSession(ctx, c, await createFirstAdmin(ctx, c.req.valid('json'), readOrigin(c, ctx.now())))
    })
    .serve('POST /api/auth/sign-in/password', async (c) => {
      const signedIn = await signInWithPassword(ctx, c.req.valid('json'), readSignInRequest(c, ctx.now()))
      if (signedIn.next === 'done') await writeSession(ctx, c, signedIn.session)
      else await ctx.pendingCodes.writeCookie(c, signedIn.token)
      return { next: signedIn.next }
    })
    .serve('POST /api/links/read', async (c) => {
      await countLinkAttempt(ctx, c.var.address)
      return await readLink(ctx, c.req.valid('json').token, readOrigin(c, ctx.now()))
    })
    .serve('POST /api/links/use', async (c) => {
      await countLinkAttempt(ctx, c.var.address)
      const session = await redeemLink(ctx, c.req.valid('json'), readSignInRequest(c, ctx.now()))
      if (session !== null) await writeSession(ctx, c, session)
    })
    .serve('PATCH /api/account', async (c) => {
      await changeAccount(ctx, c.req.valid('json'), requirePerson(c), c.var.actor)
      return await readPerson(ctx, requirePerson(c).userId)
    })
    .serve('POST /api/account/password', (c) => changePassword(ctx, c.req.valid('json'), requirePerson(c), c.var.actor))
    .serve('GET /api/account/sessions', async (c) => {
      const { userId, sessionId } = requirePerson(c)
      return await listSessions(ctx, userId, sessionId)
    })
    .serve('DELETE /api/account/sessions', (c) => endOtherSessions(ctx, requirePerson(c), c.var.actor))
    .serve('DELETE /api/account/sessions/{sessionId}', (c) =>
      endSession(ctx, c.req.valid('param').sessionId, requirePerson(c), c.var.actor),
    )
    .serve('GET /api/views', (c) => listViews(ctx, requirePerson(c).userId))
    .serve('POST /api/views', (c) => saveView(ctx, c.req.valid('json'), requirePerson(c).userId, c.var.actor))
    .serve('PATCH /api/views/{viewId}', (c) =>
      changeView(ctx, c.req.valid('param').viewId, c.req.valid('json'), requirePerson(c).userId, c.var.actor),
    )
    .serve('DELETE /api/views/{viewId}', (c) =>
      removeView(ctx, c.req.valid('param').viewId, requirePerson(c).userId, c.var.actor),
    )
    .serve('GET /api/users', () => listUsers(ctx))
    .serve('POST /api/users/invitations', async (c) =>
      withUrl(c, await invitePerson(ctx, c.req.valid('json'), c.var.actor)),
    )
    .serve('DELETE /api/users/invitations/{invitationId}', (c) =>
      revokeInvitation(ctx, c.req.valid('param').invitationId, c.var.actor),
    )
    .serve('PATCH /api/users/{userId}', async (c) => {
      const { userId } = c.req.valid('param')
      await changePerson(ctx, userId, c.req.valid('json'), readAdmin(c))
      return readUser(ctx, userId)
    })
    .serve('DELETE /api/users/{userId}', (c) =>
      removePerson(ctx, c.req.valid('param').userId, { ...readAdmin(c), ...c.req.valid('query') }),
    )
    .serve('POST /api/users/{userId}/password-link', async (c) =>
      withUrl(c, await makePasswordLink(ctx, c.req.valid('param').userId, c.var.actor)),
    )
    .serve('GET /api/users/{userId}/sessions', async (c) => {
      const { userId } = c.req.valid('param')
      return listSessions(ctx, userId, requirePerson(c).sessionId)
    })
    .serve('DELETE /api/users/{userId}/sessions', (c) =>
      endPersonSessions(ctx, c.req.valid('param').userId, readAdmin(c)),
    )
    .serve('GET /api/grants', () => listGrants(ctx))
    .serve('POST /api/grants', (c) => addGrant(ctx, c.req.valid('json'), readAdmin(c)))
    .serve('DELETE /api/grants/{grantId}', (c) => removeGrant(ctx, c.req.valid('param').grantId, readAdmin(c)))
    .serve('GET /api/site-grants', () => listSiteGrants(ctx))
    .serve('POST /api/site-grants', (c) => addSiteGrant(ctx, c.req.valid('json'), readAdmin(c)))
    .serve('DELETE /api/site-grants/{grantId}', (c) => removeSiteGrant(ctx, c.req.valid('param').grantId, readAdmin(c)))
    .serve('POST /api/auth/second-factor', async (c) => {
      const session = await signInWithCode(ctx, c.req.valid('json').code, readSignInRequest(c, ctx.now()))
      ctx.pendingCodes.clearCookie(c)
      await writeSession(ctx, c, session)
    })
    .serve('POST /api/account/second-factor/begin', async (c) => {
      const { password } = c.req.valid('json')
      return await beginSecondFactor(ctx, password, readOwnRequest(c, ctx.now()))
    })
    .serve('POST /api/account/second-factor/confirm', async (c) => {
      const { codes, session } = await confirmSecondFactor(ctx, c.req.valid('json').code, readOwnRequest(c, ctx.now()))
      await writeSession(ctx, c, session)
      return { codes }
    })
    .serve('POST /api/account/second-factor/remove', async (c) => {
      const session = await removeSecondFactor(ctx, c.req.valid('json').password, readOwnRequest(c, ctx.now()))
      await writeSession(ctx, c, session)
    })
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
    .serve('GET /api/tokens', () => listTokens(ctx))
    .serve('POST /api/tokens', (c) => createToken(ctx, c.req.valid('json'), c.var.actor))
    .serve('POST /api/tokens/{tokenId}/hand-over', (c) => handOverToken(ctx, c.req.valid('param').tokenId, c.var.actor))
    .serve('DELETE /api/tokens/{tokenId}', (c) => revokeToken(ctx, c.req.valid('param').tokenId, c.var.actor))
}
