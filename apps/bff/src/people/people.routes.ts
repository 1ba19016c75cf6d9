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
import {
  addGrant,
  listGrants,
  removeGrant,
  addSiteGrant,
  listSiteGrants,
  removeSiteGrant,
} from './accounts/people/grants.ts'
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
    .serve('GET /api/session', (_, c) =>
      describeSession(ctx, c.var.identity, { address: c.req.header('host'), cookie: c.req.header('cookie') }),
    )
    .serve('DELETE /api/session', async ({ by }, c) => {
      if (c.var.identity?.kind === 'person') await signOut(ctx, c.var.identity, by)
      ctx.cookie.clear(c)
    })
    .serve('POST /api/auth/sign-out', async (_, c) => {
      const { identity, actor } = c.var
      const sid = identity?.kind === 'person' ? await signOut(ctx, identity, actor) : null
      ctx.cookie.clear(c)
      return { url: await findSignOutUrl(ctx, sid, findPublicOrigin(c, ctx.hosts.publicUrl)) }
    })
    .serve('POST /api/account/sessions/handover', async (_, c) => {
      const handover = await handOverToOwnName(ctx, requirePerson(c), c.req.header('host'))
      ctx.cookie.clear(c)
      ctx.devices.forget(c)
      return { handover }
    })
    .serve('POST /api/session', async ({ body }, c) =>
      writeSession(ctx, c, await continueHandedOverSession(ctx, body.handover)),
    )
    .serve('POST /api/setup/check', async ({ body }, c) => {
      await countLinkAttempt(ctx, c.var.address)
      await checkSetupLink(ctx, body.token)
    })
    .serve('POST /api/setup', async ({ body }, c) => {
      await countLinkAttempt(ctx, c.var.address)
      await writeSession(ctx, c, await createFirstAdmin(ctx, body, readOrigin(c, ctx.now())))
    })
    .serve('POST /api/auth/sign-in/password', async ({ body }, c) => {
      const signedIn = await signInWithPassword(ctx, body, readSignInRequest(c, ctx.now()))
      if (signedIn.next === 'done') await writeSession(ctx, c, signedIn.session)
      else await ctx.pendingCodes.writeCookie(c, signedIn.token)
      return { next: signedIn.next }
    })
    .serve('POST /api/links/read', async ({ body }, c) => {
      await countLinkAttempt(ctx, c.var.address)
      return await readLink(ctx, body.token, readOrigin(c, ctx.now()))
    })
    .serve('POST /api/links/use', async ({ body }, c) => {
      await countLinkAttempt(ctx, c.var.address)
      const session = await redeemLink(ctx, body, readSignInRequest(c, ctx.now()))
      if (session !== null) await writeSession(ctx, c, session)
    })
    .serve('PATCH /api/account', async ({ body, by }, c) => {
      await changeAccount(ctx, body, requirePerson(c), by)
      return await readPerson(ctx, requirePerson(c).userId)
    })
    .serve('POST /api/account/password', ({ body, by }, c) => changePassword(ctx, body, requirePerson(c), by))
    .serve('GET /api/account/sessions', async (_, c) => {
      const { userId, sessionId } = requirePerson(c)
      return await listSessions(ctx, userId, sessionId)
    })
    .serve('DELETE /api/account/sessions', ({ by }, c) => endOtherSessions(ctx, requirePerson(c), by))
    .serve('DELETE /api/account/sessions/{sessionId}', ({ sessionId, by }, c) =>
      endSession(ctx, sessionId, requirePerson(c), by),
    )
    .serve('GET /api/views', (_, c) => listViews(ctx, requirePerson(c).userId))
    .serve('POST /api/views', ({ body, by }, c) => saveView(ctx, body, requirePerson(c).userId, by))
    .serve('PATCH /api/views/{viewId}', ({ viewId, body, by }, c) =>
      changeView(ctx, viewId, body, requirePerson(c).userId, by),
    )
    .serve('DELETE /api/views/{viewId}', ({ viewId, by }, c) => removeView(ctx, viewId, requirePerson(c).userId, by))
    .serve('GET /api/users', () => listUsers(ctx))
    .serve('POST /api/users/invitations', async ({ body, by }, c) => withUrl(c, await invitePerson(ctx, body, by)))
    .serve('DELETE /api/users/invitations/{invitationId}', ({ invitationId, by }) =>
      revokeInvitation(ctx, invitationId, by),
    )
    .serve('PATCH /api/users/{userId}', async ({ userId, body }, c) => {
      await changePerson(ctx, userId, body, readAdmin(c))
      return readUser(ctx, userId)
    })
    .serve('DELETE /api/users/{userId}', ({ userId, query }, c) =>
      removePerson(ctx, userId, { ...readAdmin(c), ...query }),
    )
    .serve('POST /api/users/{userId}/password-link', async ({ userId, by }, c) =>
      withUrl(c, await makePasswordLink(ctx, userId, by)),
    )
    .serve('GET /api/users/{userId}/sessions', async ({ userId }, c) => {
      return listSessions(ctx, userId, requirePerson(c).sessionId)
    })
    .serve('DELETE /api/users/{userId}/sessions', ({ userId }, c) => endPersonSessions(ctx, userId, readAdmin(c)))
    .serve('GET /api/grants', () => listGrants(ctx))
    .serve('POST /api/grants', ({ body }, c) => addGrant(ctx, body, readAdmin(c)))
    .serve('DELETE /api/grants/{grantId}', ({ grantId }, c) => removeGrant(ctx, grantId, readAdmin(c)))
    .serve('GET /api/site-grants', () => listSiteGrants(ctx))
    .serve('POST /api/site-grants', ({ body }, c) => addSiteGrant(ctx, body, readAdmin(c)))
    .serve('DELETE /api/site-grants/{grantId}', ({ grantId }, c) => removeSiteGrant(ctx, grantId, readAdmin(c)))
    .serve('POST /api/auth/second-factor', async ({ body }, c) => {
      const session = await signInWithCode(ctx, body.code, readSignInRequest(c, ctx.now()))
      ctx.pendingCodes.clearCookie(c)
      await writeSession(ctx, c, session)
    })
    .serve('POST /api/account/second-factor/begin', async ({ body }, c) => {
      return await beginSecondFactor(ctx, body.password, readOwnRequest(c, ctx.now()))
    })
    .serve('POST /api/account/second-factor/confirm', async ({ body }, c) => {
      const { codes, session } = await confirmSecondFactor(ctx, body.code, readOwnRequest(c, ctx.now()))
      await writeSession(ctx, c, session)
      return { codes }
    })
    .serve('POST /api/account/second-factor/remove', async ({ body }, c) => {
      const session = await removeSecondFactor(ctx, body.password, readOwnRequest(c, ctx.now()))
      await writeSession(ctx, c, session)
    })
    .serve('POST /api/auth/passkey/options', async (_, c) => {
      const { options, token } = await makeSignInOptions(ctx, readSignInRequest(c, ctx.now()), requireSite(c))
      await challenges.writeCookie(c, token)
      return options
    })
    .serve('POST /api/auth/passkey/sign-in', async ({ body }, c) => {
      const session = await signInWithPasskey(ctx, body, readSignInRequest(c, ctx.now()), requireSite(c))
      challenges.clearCookie(c)
      await writeSession(ctx, c, session)
    })
    .serve('GET /api/account/passkeys', (_, c) => listPasskeys(ctx, requirePerson(c).userId))
    .serve('POST /api/account/passkeys/options', async ({ body }, c) => {
      const { options, token } = await makePasskeyOptions(
        ctx,
        body.password,
        readOwnRequest(c, ctx.now()),
        requireSite(c),
      )
      await challenges.writeCookie(c, token)
      return options
    })
    .serve('POST /api/account/passkeys', async ({ body }, c) => {
      await addPasskey(ctx, body, readOwnRequest(c, ctx.now()), requireSite(c))
      challenges.clearCookie(c)
    })
    .serve('DELETE /api/account/passkeys/{passkeyId}', ({ passkeyId }, c) =>
      removePasskey(ctx, passkeyId, readOwnRequest(c, ctx.now())),
    )
    .serve('GET /api/tokens', () => listTokens(ctx))
    .serve('POST /api/tokens', ({ body, by }) => createToken(ctx, body, by))
    .serve('POST /api/tokens/{tokenId}/hand-over', ({ tokenId, by }) => handOverToken(ctx, tokenId, by))
    .serve('DELETE /api/tokens/{tokenId}', ({ tokenId, by }) => revokeToken(ctx, tokenId, by))
}
