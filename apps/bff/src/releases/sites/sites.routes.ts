import type { Context } from 'hono'
import { apiRoutes } from '#ground/http/api-routes.ts'
import type { AppEnv } from '#ground/http/app-env.ts'
import type { ChannelService } from './channels.service.ts'
import type { SiteJoiner } from './join-sites.ts'
import { toSender } from './to-sender.ts'
import type { ReleaseService } from './releases.service.ts'
import type { SiteService } from './sites.service.ts'

type SiteContext<Name extends string = 'siteId'> = Context<AppEnv, string, { out: { param: Record<Name, string> } }>

/** `/api/sites…`: sites, their channels and releases. The services decide who may see and change what. */
export const siteRoutes = (services: {
  sites: SiteService
  channels: ChannelService
  releases: ReleaseService
  joining: SiteJoiner
}) => {
  const { sites, channels, releases, joining } = services
  const siteAfter = async (c: SiteContext, change: Promise<unknown>) => {
    await change
    return sites.read(c.req.valid('param').siteId, toSender(c))
  }
  const channelAfter = async (c: SiteContext<'siteId' | 'channelId'>, change: Promise<unknown>) => {
    await change
    return sites.readChannel(c.req.valid('param'), toSender(c))
  }
  return apiRoutes()
    .serve('GET /api/sites', (c) => sites.list(toSender(c)))
    .serve('GET /api/sites/{siteId}', (c) => sites.read(c.req.valid('param').siteId, toSender(c)))
    .serve('PATCH /api/sites/{siteId}', (c) =>
      siteAfter(c, sites.change(c.req.valid('param').siteId, c.req.valid('json'), toSender(c))),
    )
    .serve('GET /api/sites/{siteId}/artifacts', (c) => sites.listArtifacts(c.req.valid('param').siteId, toSender(c)))
    .serve('POST /api/sites/{siteId}/join', (c) =>
      siteAfter(c, joining.join(c.req.valid('param').siteId, c.req.valid('json').siteId, toSender(c))),
    )
    .serve('POST /api/sites/{siteId}/separate', (c) =>
      siteAfter(c, joining.separate(c.req.valid('param').siteId, c.req.valid('json'), toSender(c))),
    )
    .serve('POST /api/sites/{siteId}/channels', (c) =>
      siteAfter(c, channels.add(c.req.valid('param').siteId, c.req.valid('json'), toSender(c))),
    )
    .serve('PATCH /api/sites/{siteId}/channels/{channelId}', (c) =>
      channelAfter(c, channels.change(c.req.valid('param'), c.req.valid('json'), toSender(c))),
    )
    .serve('DELETE /api/sites/{siteId}/channels/{channelId}', (c) => channels.remove(c.req.valid('param'), toSender(c)))
    .serve('GET /api/sites/{siteId}/channels/{channelId}/releases', (c) =>
      releases.list(c.req.valid('param'), c.req.valid('query'), toSender(c)),
    )
    .serve('POST /api/sites/{siteId}/channels/{channelId}/releases', (c) =>
      channelAfter(c, releases.promote(c.req.valid('param'), c.req.valid('json'), toSender(c))),
    )
    .serve('POST /api/sites/{siteId}/channels/{channelId}/rollback', (c) =>
      channelAfter(c, releases.rollBack(c.req.valid('param'), c.req.valid('json'), toSender(c))),
    )
    .serve('POST /api/sites/{siteId}/channels/{channelId}/pin', (c) =>
      channelAfter(c, releases.pin(c.req.valid('param'), c.req.valid('json'), toSender(c))),
    )
    .serve('DELETE /api/sites/{siteId}/channels/{channelId}/pin', (c) =>
      channelAfter(c, releases.unpin(c.req.valid('param'), c.req.valid('query'), toSender(c))),
    )
    .serve('GET /api/static-exports/{exportId}/site', (c) =>
      sites.readByExport(c.req.valid('param').exportId, toSender(c)),
    )
}
