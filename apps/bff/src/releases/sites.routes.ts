import type { Context } from 'hono'
import { apiRoutes } from '#ground/http/api-routes.ts'
import type { AppEnv } from '#ground/http/app-env.ts'
import type { ReleasesCtx } from '#releases/releases-ctx.ts'
import { addChannel, changeChannel, removeChannel } from './channels/channels.ts'
import { joinSites, separateSite } from './channels/join-sites.ts'
import { removeSite } from './channels/remove-site.ts'
import { pinChannel, publishArtifact, rollBack, unpinChannel } from './channels/publish.ts'
import { listReleases, listSiteReleases } from '#releases/sites/releases.list.ts'
import { readSender } from '#releases/sites/sender.ts'
import {
  changeSite,
  listSiteArtifacts,
  listSites,
  readChannel,
  readSite,
  readSiteOfExport,
} from '#releases/sites/sites.ts'

type SiteContext<Name extends string = 'siteId'> = Context<AppEnv, string, { out: { param: Record<Name, string> } }>

/** Each verb decides who may see and change what. */
export const siteRoutes = (ctx: ReleasesCtx) => {
  const siteAfter = async (c: SiteContext, change: Promise<unknown>) => {
    await change
    return readSite(ctx, c.req.valid('param').siteId, readSender(c))
  }
  const channelAfter = async (c: SiteContext<'siteId' | 'channelId'>, change: Promise<unknown>) => {
    await change
    return readChannel(ctx, c.req.valid('param'), readSender(c))
  }
  return apiRoutes()
    .serve('GET /api/sites', (c) => listSites(ctx, readSender(c)))
    .serve('GET /api/sites/{siteId}', (c) => readSite(ctx, c.req.valid('param').siteId, readSender(c)))
    .serve('PATCH /api/sites/{siteId}', (c) =>
      siteAfter(c, changeSite(ctx, c.req.valid('param').siteId, c.req.valid('json'), readSender(c))),
    )
    .serve('DELETE /api/sites/{siteId}', (c) => removeSite(ctx, c.req.valid('param').siteId, readSender(c)))
    .serve('GET /api/sites/{siteId}/artifacts', (c) =>
      listSiteArtifacts(ctx, c.req.valid('param').siteId, readSender(c)),
    )
    .serve('GET /api/sites/{siteId}/releases', (c) =>
      listSiteReleases(ctx, c.req.valid('param').siteId, c.req.valid('query'), readSender(c)),
    )
    .serve('POST /api/sites/{siteId}/join', (c) =>
      siteAfter(c, joinSites(ctx, c.req.valid('param').siteId, c.req.valid('json').siteId, readSender(c))),
    )
    .serve('POST /api/sites/{siteId}/separate', (c) =>
      siteAfter(c, separateSite(ctx, c.req.valid('param').siteId, c.req.valid('json'), readSender(c))),
    )
    .serve('POST /api/sites/{siteId}/channels', (c) =>
      siteAfter(c, addChannel(ctx, c.req.valid('param').siteId, c.req.valid('json'), readSender(c))),
    )
    .serve('PATCH /api/sites/{siteId}/channels/{channelId}', (c) =>
      channelAfter(c, changeChannel(ctx, c.req.valid('param'), c.req.valid('json'), readSender(c))),
    )
    .serve('DELETE /api/sites/{siteId}/channels/{channelId}', (c) =>
      removeChannel(ctx, c.req.valid('param'), readSender(c)),
    )
    .serve('GET /api/sites/{siteId}/channels/{channelId}/releases', (c) =>
      listReleases(ctx, c.req.valid('param'), c.req.valid('query'), readSender(c)),
    )
    .serve('POST /api/sites/{siteId}/channels/{channelId}/releases', (c) =>
      channelAfter(c, publishArtifact(ctx, c.req.valid('param'), c.req.valid('json'), readSender(c))),
    )
    .serve('POST /api/sites/{siteId}/channels/{channelId}/rollback', (c) =>
      channelAfter(c, rollBack(ctx, c.req.valid('param'), c.req.valid('json'), readSender(c))),
    )
    .serve('POST /api/sites/{siteId}/channels/{channelId}/pin', (c) =>
      channelAfter(c, pinChannel(ctx, c.req.valid('param'), c.req.valid('json'), readSender(c))),
    )
    .serve('DELETE /api/sites/{siteId}/channels/{channelId}/pin', (c) =>
      channelAfter(c, unpinChannel(ctx, c.req.valid('param'), c.req.valid('query'), readSender(c))),
    )
    .serve('GET /api/static-exports/{exportId}/site', (c) =>
      readSiteOfExport(ctx, c.req.valid('param').exportId, readSender(c)),
    )
}
