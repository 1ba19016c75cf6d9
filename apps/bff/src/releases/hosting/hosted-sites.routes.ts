import { AppError } from '#ground/errors/app-error.ts'
import { apiRoutes } from '#ground/http/api-routes.ts'
import type { HostedSiteService } from './hosted-sites.service.ts'

/** `/api/hosted-sites`: the way of signed-in people to hosted sites. */
export const hostedSiteRoutes = (hostedSites: HostedSiteService) =>
  apiRoutes().serve('POST /api/hosted-sites/open', (c) => {
    const { identity } = c.var
    if (identity?.kind !== 'person') throw new AppError('forbidden', 'Only people can open hosted sites.')
    const { hostname, path } = c.req.valid('json')
    return hostedSites.open({ hostname, path }, { person: identity, host: c.req.header('host') ?? '', by: c.var.actor })
  })
