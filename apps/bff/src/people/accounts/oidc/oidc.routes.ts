import { type OidcRefusal } from '@docket/api-types/accounts'
import { otherRoutes } from '@docket/api-types/routes'
import { createRoute, z } from '@hono/zod-openapi'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { findReplacedSession } from '#people/accounts/request-origin.ts'
import { sessionLimits } from '#people/accounts/sessions.ts'
import { apiRoutes, describeRoute } from '#ground/http/api-routes.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { PeopleCtx } from '#people/people-ctx.ts'
import { beginOidc, endSessionsByToken, finishOidc, saidPrefix } from './oidc.service.ts'
import { OidcRefused } from './provider.ts'

const callback = createRoute({
  method: 'get',
  path: '/api/auth/oidc/callback',
  ...describeRoute(otherRoutes['GET /api/auth/oidc/callback']),
  request: { query: z.object({ state: z.string().max(2_000).optional() }) },
  responses: { 303: { description: 'To the page where it began, or to `/sign-in?error=…` with one of a few words.' } },
})

const backchannel = createRoute({
  method: 'post',
  path: '/api/auth/oidc/backchannel-logout',
  ...describeRoute(otherRoutes['POST /api/auth/oidc/backchannel-logout']),
  request: {
    body: {
      required: true,
      content: { 'application/x-www-form-urlencoded': { schema: z.object({ logout_token: z.string() }) } },
    },
  },
  responses: {
    200: { description: 'The sessions have ended.' },
    400: { description: 'The token is invalid, or was used before.' },
    503: { description: 'The provider doesn’t publish its keys right now.' },
  },
})

const requireOidc = (ctx: PeopleCtx) => {
  if (ctx.oidc === null) throw new AppError('not_found', 'This Docket has no single sign-on.')
  return { ...ctx, oidc: ctx.oidc }
}

/** The provider itself calls this route: without a cookie, and not from a page. The signature of its token is the proof. */
export const oidcLogoutRoutes = (ctx: PeopleCtx) =>
  apiRoutes().openapi(backchannel, async (c) => {
    const here = requireOidc(ctx)
    c.header('Cache-Control', 'no-store')
    try {
      await endSessionsByToken(here, c.req.valid('form').logout_token, c.var.actor)
      return c.body(null, 200)
    } catch (error) {
      if (!(error instanceof OidcRefused)) throw error
      c.var.log.warn({ because: error.message }, 'a logout of the single sign-on was refused')
      const isAway = error.word === 'provider_unavailable'
      return c.json({ error: isAway ? 'temporarily_unavailable' : 'invalid_request' }, isAway ? 503 : 400)
    }
  })

export const oidcRoutes = (ctx: PeopleCtx) => {
  const { cookie, hosts } = ctx
  const { publicUrl } = hosts
  const name = `${cookie.name}_sso`
  // The browser returns from another site and so does not send strict cookies.
  const attributes = { ...cookie.attributes, sameSite: 'lax' as const }
  return apiRoutes()
    .serve('POST /api/auth/oidc', async ({ body }, c) => {
      const here = requireOidc(ctx)
      const host = c.req.header('host') ?? ''
      if (publicUrl !== null && host.toLowerCase() !== publicUrl.host)
        throw new AppError('forbidden', `Open ${publicUrl.origin} to sign in with ${here.oidc.settings.name}.`)
      const origin = publicUrl?.origin ?? `http://${host.toLowerCase()}`
      const { url, browser, expiresAt } = await beginOidc(here, {
        returnTo: body.returnTo,
        origin,
        address: c.var.address,
        replaces: findReplacedSession(c),
      })
      setCookie(c, name, browser, { ...attributes, expires: expiresAt })
      return { url }
    })
    .openapi(callback, async (c) => {
      const here = requireOidc(ctx)
      const refused = (word: OidcRefusal) => c.redirect(`/sign-in?error=${word}`, 303)
      const back = {
        query: new URL(c.req.url).search,
        state: c.req.valid('query').state ?? '',
        browser: getCookie(c, name),
      }
      const visitor = { by: c.var.actor, userAgent: c.req.header('user-agent') }
      try {
        const { token, returnTo } = await finishOidc(here, back, visitor)
        deleteCookie(c, name, attributes)
        await cookie.write(c, token, sessionLimits.absoluteMs / 1_000)
        return c.redirect(returnTo, 303)
      } catch (error) {
        if (error instanceof OidcRefused) {
          c.var.log.warn({ reason: error.word, because: error.message }, 'single sign-on did not sign somebody in')
          if (error.said !== '') await here.oidc.said.write(c, `${saidPrefix}${error.said}`, 60)
          return refused(error.word)
        }
        // People see this response in the browser, so it is a page and not JSON.
        c.var.log.error({ err: error }, 'single sign-on failed')
        return refused('failed')
      }
    })
}
