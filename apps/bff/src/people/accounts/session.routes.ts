import { apiRoutes } from '#ground/http/api-routes.ts'
import type { PeopleCtx } from '#people/people-ctx.ts'
import {
  countLinkAttempt,
  describeSession,
  handOverToOwnName,
  signOut,
  continueHandedOverSession,
  writeSession,
} from './own-session.ts'
import { checkSetupLink, createFirstAdmin } from './setup.ts'
import { findSignOutUrl } from '#people/accounts/oidc/oidc.service.ts'
import { findPublicOrigin, readOrigin, requirePerson } from './request-origin.ts'

export const sessionRoutes = (ctx: PeopleCtx) =>
  apiRoutes()
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
