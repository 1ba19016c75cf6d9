import { AppError } from '#ground/errors/app-error.ts'
import { apiRoute, apiRoutes } from '#ground/http/api-routes.ts'
import type { HostedSiteService } from './hosted-sites.service.ts'

const open = apiRoute('POST', '/api/hosted-sites/open', {
  summary: 'Open a hosted site that asks for a sign-in',
  answer: 'Where to open it. The address works once.',
})

/** `/api/hosted-sites`: the way of signed-in people to hosted sites. */
export const hostedSiteRoutes = (hostedSites: HostedSiteService) =>
  apiRoutes().serve(open, (c) => {
    const { identity } = c.var
    if (identity?.kind !== 'person') throw new AppError('forbidden', 'Only people can open hosted sites.')
    const { hostname, path } = c.req.valid('json')
    return hostedSites.open({ hostname, path }, { person: identity, host: c.req.header('host') ?? '', by: c.var.actor })
  })
