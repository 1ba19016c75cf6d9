import { apiRoutes } from '#ground/http/api-routes.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { Identity } from '#ground/identity/identity.ts'
import type { PreviewsCtx, ReleasesCtx, TargetsCtx, HostingCtx } from './releases-ctx.ts'
import { closePreview, openPreview, readPreview } from './previews/previews.ts'
import type { Context } from 'hono'
import type { AppEnv } from '#ground/http/app-env.ts'
import { addChannel, changeChannel, removeChannel } from './channels/channels.ts'
import { joinSites, separateSite } from './channels/join-sites.ts'
import { removeSite } from './channels/remove-site.ts'
import { pinChannel, publishArtifact, rollBack, unpinChannel } from './channels/publish.ts'
import { listReleases, listSiteReleases } from './sites/releases.list.ts'
import { readSender } from './sites/sender.ts'
import { changeSite, listSiteArtifacts, listSites, readChannel, readSite, readSiteOfExport } from './sites/sites.ts'
import {
  approveProposal,
  listOpenProposals,
  requestApprovals,
  withdrawApproval,
  withdrawProposal,
} from './publish-checks/approvals.ts'
import { readPublishChecks } from './publish-checks/may-publish.ts'
import { listDeliveries, requestDelivery } from './targets/deliveries.ts'
import { addTarget, changeTarget, dryRunTarget, listTargets, removeTarget } from './targets/targets.ts'
import { readServerKey, testTarget } from './targets/test-target.ts'
import { openHostedSite } from './hosting/hosted-sites.ts'

/** Previews and visits of hosted sites belong to a session, so tokens have none. */
const requirePerson = (identity: Identity, message: string) => {
  if (identity?.kind !== 'person') throw new AppError('forbidden', message)
  return identity
}

const readSession = (identity: Identity) => requirePerson(identity, 'Only people can open previews.').sessionId

type SiteContext<Name extends string = 'siteId'> = Context<AppEnv, string, { out: { param: Record<Name, string> } }>

/** Each verb decides who may see and change what. */
export const releaseRoutes = ({
  sites,
  targets,
  previews,
  hosting,
}: {
  sites: ReleasesCtx
  targets: TargetsCtx
  previews: PreviewsCtx
  hosting: HostingCtx
}) => {
  const siteAfter = async (c: SiteContext, change: Promise<unknown>) => {
    await change
    return readSite(sites, c.req.valid('param').siteId, readSender(c))
  }
  const channelAfter = async (c: SiteContext<'siteId' | 'channelId'>, change: Promise<unknown>) => {
    await change
    return readChannel(sites, c.req.valid('param'), readSender(c))
  }
  return apiRoutes()
    .serve('POST /api/static-exports/{exportId}/artifact/previews', (c) =>
      openPreview(previews, c.req.valid('param').exportId, {
        path: c.req.valid('json').path,
        sessionId: readSession(c.var.identity),
        host: c.req.header('host') ?? '',
        by: c.var.actor,
      }),
    )
    .serve('GET /api/static-exports/{exportId}/artifact/previews/{previewId}', (c) =>
      readPreview(previews, { ...c.req.valid('param'), sessionId: readSession(c.var.identity) }),
    )
    .serve('DELETE /api/static-exports/{exportId}/artifact/previews/{previewId}', (c) =>
      closePreview(previews, { ...c.req.valid('param'), sessionId: readSession(c.var.identity) }),
    )
    .serve('GET /api/sites', (c) => listSites(sites, readSender(c)))
    .serve('GET /api/sites/{siteId}', (c) => readSite(sites, c.req.valid('param').siteId, readSender(c)))
    .serve('PATCH /api/sites/{siteId}', (c) =>
      siteAfter(c, changeSite(sites, c.req.valid('param').siteId, c.req.valid('json'), readSender(c))),
    )
    .serve('DELETE /api/sites/{siteId}', (c) => removeSite(sites, c.req.valid('param').siteId, readSender(c)))
    .serve('GET /api/sites/{siteId}/artifacts', (c) =>
      listSiteArtifacts(sites, c.req.valid('param').siteId, readSender(c)),
    )
    .serve('GET /api/sites/{siteId}/releases', (c) =>
      listSiteReleases(sites, c.req.valid('param').siteId, c.req.valid('query'), readSender(c)),
    )
    .serve('POST /api/sites/{siteId}/join', (c) =>
      siteAfter(c, joinSites(sites, c.req.valid('param').siteId, c.req.valid('json').siteId, readSender(c))),
    )
    .serve('POST /api/sites/{siteId}/separate', (c) =>
      siteAfter(c, separateSite(sites, c.req.valid('param').siteId, c.req.valid('json'), readSender(c))),
    )
    .serve('POST /api/sites/{siteId}/channels', (c) =>
      siteAfter(c, addChannel(sites, c.req.valid('param').siteId, c.req.valid('json'), readSender(c))),
    )
    .serve('PATCH /api/sites/{siteId}/channels/{channelId}', (c) =>
      channelAfter(c, changeChannel(sites, c.req.valid('param'), c.req.valid('json'), readSender(c))),
    )
    .serve('DELETE /api/sites/{siteId}/channels/{channelId}', (c) =>
      removeChannel(sites, c.req.valid('param'), readSender(c)),
    )
    .serve('GET /api/sites/{siteId}/channels/{channelId}/releases', (c) =>
      listReleases(sites, c.req.valid('param'), c.req.valid('query'), readSender(c)),
    )
    .serve('POST /api/sites/{siteId}/channels/{channelId}/releases', (c) =>
      channelAfter(c, publishArtifact(sites, c.req.valid('param'), c.req.valid('json'), readSender(c))),
    )
    .serve('POST /api/sites/{siteId}/channels/{channelId}/rollback', (c) =>
      channelAfter(c, rollBack(sites, c.req.valid('param'), c.req.valid('json'), readSender(c))),
    )
    .serve('POST /api/sites/{siteId}/channels/{channelId}/pin', (c) =>
      channelAfter(c, pinChannel(sites, c.req.valid('param'), c.req.valid('json'), readSender(c))),
    )
    .serve('DELETE /api/sites/{siteId}/channels/{channelId}/pin', (c) =>
      channelAfter(c, unpinChannel(sites, c.req.valid('param'), c.req.valid('query'), readSender(c))),
    )
    .serve('GET /api/static-exports/{exportId}/site', (c) =>
      readSiteOfExport(sites, c.req.valid('param').exportId, readSender(c)),
    )
    .serve('GET /api/sites/{siteId}/channels/{channelId}/publish-checks', (c) =>
      readPublishChecks(sites, c.req.valid('param'), c.req.valid('query').export, readSender(c)),
    )
    .serve('POST /api/sites/{siteId}/channels/{channelId}/proposals', (c) =>
      requestApprovals(sites, c.req.valid('param'), c.req.valid('json'), readSender(c)),
    )
    .serve('DELETE /api/sites/{siteId}/channels/{channelId}/proposals/{proposalId}', (c) =>
      withdrawProposal(sites, c.req.valid('param'), readSender(c)),
    )
    .serve('POST /api/sites/{siteId}/channels/{channelId}/proposals/{proposalId}/approval', (c) =>
      approveProposal(sites, c.req.valid('param'), readSender(c)),
    )
    .serve('DELETE /api/sites/{siteId}/channels/{channelId}/proposals/{proposalId}/approval', (c) =>
      withdrawApproval(sites, c.req.valid('param'), readSender(c)),
    )
    .serve('GET /api/proposals', (c) => listOpenProposals(sites, c.var.identity))
    .serve('GET /api/sites/{siteId}/channels/{channelId}/targets', (c) =>
      listTargets(targets, c.req.valid('param'), readSender(c)),
    )
    .serve('POST /api/sites/{siteId}/channels/{channelId}/targets', (c) =>
      addTarget(targets, c.req.valid('param'), c.req.valid('json'), readSender(c)),
    )
    .serve('PATCH /api/sites/{siteId}/channels/{channelId}/targets/{targetId}', (c) =>
      changeTarget(targets, c.req.valid('param'), c.req.valid('json'), readSender(c)),
    )
    .serve('DELETE /api/sites/{siteId}/channels/{channelId}/targets/{targetId}', (c) =>
      removeTarget(targets, c.req.valid('param'), readSender(c)),
    )
    .serve('GET /api/sites/{siteId}/channels/{channelId}/targets/{targetId}/dry-run', (c) =>
      dryRunTarget(targets, c.req.valid('param'), readSender(c)),
    )
    .serve('GET /api/sites/{siteId}/channels/{channelId}/targets/{targetId}/deliveries', (c) =>
      listDeliveries(targets, c.req.valid('param'), readSender(c)),
    )
    .serve('POST /api/sites/{siteId}/channels/{channelId}/targets/{targetId}/deliveries', (c) =>
      requestDelivery(targets, c.req.valid('param'), c.req.valid('json'), readSender(c)),
    )
    .serve('POST /api/target-tests', (c) => testTarget(targets, c.req.valid('json'), c.var.actor))
    .serve('POST /api/host-keys', (c) => readServerKey(targets, c.req.valid('json'), c.var.actor))
    .serve('POST /api/hosted-sites/open', (c) => {
      const person = requirePerson(c.var.identity, 'Only people can open hosted sites.')
      const at = { person, host: c.req.header('host') ?? '', by: c.var.actor }
      return openHostedSite(hosting, c.req.valid('json'), at)
    })
}
