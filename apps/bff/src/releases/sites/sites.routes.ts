import { apiRoutes } from '#ground/http/api-routes.ts'
import type { ChannelService } from './channels.service.ts'
import type { SiteJoiner } from './join-sites.ts'
import { toSender } from './to-sender.ts'
import type { ReleaseService } from './releases.service.ts'
import type { SiteService } from './sites.service.ts'

/** `/api/sites…`: sites, their channels and releases. The services decide who may see and change what. */
export const siteRoutes = (services: {
  sites: SiteService
  channels: ChannelService
  releases: ReleaseService
  joining: SiteJoiner
}) => {
  const { sites, channels, releases, joining } = services
  return apiRoutes()
    .serve('GET /api/sites', (c) => sites.list(toSender(c)))
    .serve('GET /api/sites/{siteId}', (c) => sites.read(c.req.valid('param').siteId, toSender(c)))
    .serve('PATCH /api/sites/{siteId}', async (c) => {
      const [{ siteId }, sender] = [c.req.valid('param'), toSender(c)]
      await sites.change(siteId, c.req.valid('json'), sender)
      return sites.read(siteId, sender)
    })
    .serve('GET /api/sites/{siteId}/artifacts', (c) => sites.listArtifacts(c.req.valid('param').siteId, toSender(c)))
    .serve('POST /api/sites/{siteId}/join', async (c) => {
      const [{ siteId }, sender] = [c.req.valid('param'), toSender(c)]
      await joining.join(siteId, c.req.valid('json').siteId, sender)
      return sites.read(siteId, sender)
    })
    .serve('POST /api/sites/{siteId}/separate', async (c) => {
      const [{ siteId }, sender] = [c.req.valid('param'), toSender(c)]
      await joining.separate(siteId, c.req.valid('json'), sender)
      return sites.read(siteId, sender)
    })
    .serve('POST /api/sites/{siteId}/channels', async (c) => {
      const [{ siteId }, sender] = [c.req.valid('param'), toSender(c)]
      await channels.add(siteId, c.req.valid('json'), sender)
      return sites.read(siteId, sender)
    })
    .serve('PATCH /api/sites/{siteId}/channels/{channelId}', async (c) => {
      const [key, sender] = [c.req.valid('param'), toSender(c)]
      await channels.change(key, c.req.valid('json'), sender)
      return sites.readChannel(key, sender)
    })
    .serve('DELETE /api/sites/{siteId}/channels/{channelId}', (c) => channels.remove(c.req.valid('param'), toSender(c)))
    .serve('GET /api/sites/{siteId}/channels/{channelId}/releases', (c) =>
      releases.list(c.req.valid('param'), c.req.valid('query'), toSender(c)),
    )
    .serve('POST /api/sites/{siteId}/channels/{channelId}/releases', async (c) => {
      const [key, sender] = [c.req.valid('param'), toSender(c)]
      await releases.promote(key, c.req.valid('json'), sender)
      return sites.readChannel(key, sender)
    })
    .serve('POST /api/sites/{siteId}/channels/{channelId}/rollback', async (c) => {
      const [key, sender] = [c.req.valid('param'), toSender(c)]
      await releases.rollBack(key, c.req.valid('json'), sender)
      return sites.readChannel(key, sender)
    })
    .serve('POST /api/sites/{siteId}/channels/{channelId}/pin', async (c) => {
      const [key, sender] = [c.req.valid('param'), toSender(c)]
      await releases.pin(key, c.req.valid('json'), sender)
      return sites.readChannel(key, sender)
    })
    .serve('DELETE /api/sites/{siteId}/channels/{channelId}/pin', async (c) => {
      const [key, sender] = [c.req.valid('param'), toSender(c)]
      await releases.unpin(key, c.req.valid('query'), sender)
      return sites.readChannel(key, sender)
    })
    .serve('GET /api/static-exports/{exportId}/site', (c) =>
      sites.readByExport(c.req.valid('param').exportId, toSender(c)),
    )
}
