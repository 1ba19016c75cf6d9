import { AppError } from '#ground/errors/app-error.ts'
import { apiRoutes } from '#ground/http/api-routes.ts'
import type { HostingCtx } from '#releases/releases-ctx.ts'
import { openHostedSite } from './hosted-sites.ts'

export const hostedSiteRoutes = (ctx: HostingCtx) =>
  apiRoutes().serve('POST /api/hosted-sites/open', (c) => {
    const { identity } = c.var
    if (identity?.kind !== 'person') throw new AppError('forbidden', 'Only people can open hosted sites.')
    const at = { person: identity, host: c.req.header('host') ?? '', by: c.var.actor }
    return openHostedSite(ctx, c.req.valid('json'), at)
  })
