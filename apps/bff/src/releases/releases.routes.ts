import { type ChannelKey, requirePerson } from './sites/site-access.ts'
import { apiRoutes } from '#ground/http/api-routes.ts'
import type { Identity, Sender } from '#ground/identity/identity.ts'
import type { PreviewsCtx, ReleasesCtx, TargetsCtx, HostingCtx } from './releases-ctx.ts'
import { closePreview, openPreview, readPreview } from './previews/previews.ts'
import { addChannel, changeChannel, removeChannel } from './channels/channels.ts'
import { joinSites, separateSite } from './channels/join-sites.ts'
import { removeSite } from './channels/remove-site.ts'
import { pinChannel, publishArtifact, rollBack, unpinChannel } from './channels/publish.ts'
import { listReleases, listSiteReleases } from './sites/releases.list.ts'
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
const readSession = (identity: Identity) => requirePerson(identity, 'Only people can open previews.').sessionId

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
  const siteAfter = async (siteId: string, sender: Sender, change: Promise<unknown>) => {
    await change
    return readSite(sites, siteId, sender)
  }
  const channelAfter = async (key: ChannelKey, sender: Sender, change: Promise<unknown>) => {
    await change
    return readChannel(sites, key, sender)
  }
  return apiRoutes()
    .serve('POST /api/static-exports/{exportId}/artifact/previews', ({ exportId, body, by, sender }) =>
      openPreview(previews, exportId, {
        path: body.path,
        sessionId: readSession(sender.identity),
        host: sender.host,
        by,
      }),
    )
    .serve('GET /api/static-exports/{exportId}/artifact/previews/{previewId}', ({ params, sender }) =>
      readPreview(previews, { ...params, sessionId: readSession(sender.identity) }),
    )
    .serve('DELETE /api/static-exports/{exportId}/artifact/previews/{previewId}', ({ params, sender }) =>
      closePreview(previews, { ...params, sessionId: readSession(sender.identity) }),
    )
    .serve('GET /api/sites', ({ sender }) => listSites(sites, sender))
    .serve('GET /api/sites/{siteId}', ({ siteId, sender }) => readSite(sites, siteId, sender))
    .serve('PATCH /api/sites/{siteId}', ({ siteId, body, sender }) =>
      siteAfter(siteId, sender, changeSite(sites, siteId, body, sender)),
    )
    .serve('DELETE /api/sites/{siteId}', ({ siteId, sender }) => removeSite(sites, siteId, sender))
    .serve('GET /api/sites/{siteId}/artifacts', ({ siteId, sender }) => listSiteArtifacts(sites, siteId, sender))
    .serve('GET /api/sites/{siteId}/releases', ({ siteId, query, sender }) =>
      listSiteReleases(sites, siteId, query, sender),
    )
    .serve('POST /api/sites/{siteId}/join', ({ siteId, body, sender }) =>
      siteAfter(siteId, sender, joinSites(sites, siteId, body.siteId, sender)),
    )
    .serve('POST /api/sites/{siteId}/separate', ({ siteId, body, sender }) =>
      siteAfter(siteId, sender, separateSite(sites, siteId, body, sender)),
    )
    .serve('POST /api/sites/{siteId}/channels', ({ siteId, body, sender }) =>
      siteAfter(siteId, sender, addChannel(sites, siteId, body, sender)),
    )
    .serve('PATCH /api/sites/{siteId}/channels/{channelId}', ({ params, body, sender }) =>
      channelAfter(params, sender, changeChannel(sites, params, body, sender)),
    )
    .serve('DELETE /api/sites/{siteId}/channels/{channelId}', ({ params, sender }) =>
      removeChannel(sites, params, sender),
    )
    .serve('GET /api/sites/{siteId}/channels/{channelId}/releases', ({ params, query, sender }) =>
      listReleases(sites, params, query, sender),
    )
    .serve('POST /api/sites/{siteId}/channels/{channelId}/releases', ({ params, body, sender }) =>
      channelAfter(params, sender, publishArtifact(sites, params, body, sender)),
    )
    .serve('POST /api/sites/{siteId}/channels/{channelId}/rollback', ({ params, body, sender }) =>
      channelAfter(params, sender, rollBack(sites, params, body, sender)),
    )
    .serve('POST /api/sites/{siteId}/channels/{channelId}/pin', ({ params, body, sender }) =>
      channelAfter(params, sender, pinChannel(sites, params, body, sender)),
    )
    .serve('DELETE /api/sites/{siteId}/channels/{channelId}/pin', ({ params, query, sender }) =>
      channelAfter(params, sender, unpinChannel(sites, params, query, sender)),
    )
    .serve('GET /api/static-exports/{exportId}/site', ({ exportId, sender }) =>
      readSiteOfExport(sites, exportId, sender),
    )
    .serve('GET /api/sites/{siteId}/channels/{channelId}/publish-checks', ({ params, query, sender }) =>
      readPublishChecks(sites, params, query.export, sender),
    )
    .serve('POST /api/sites/{siteId}/channels/{channelId}/proposals', ({ params, body, sender }) =>
      requestApprovals(sites, params, body, sender),
    )
    .serve('DELETE /api/sites/{siteId}/channels/{channelId}/proposals/{proposalId}', ({ params, sender }) =>
      withdrawProposal(sites, params, sender),
    )
    .serve('POST /api/sites/{siteId}/channels/{channelId}/proposals/{proposalId}/approval', ({ params, sender }) =>
      approveProposal(sites, params, sender),
    )
    .serve('DELETE /api/sites/{siteId}/channels/{channelId}/proposals/{proposalId}/approval', ({ params, sender }) =>
      withdrawApproval(sites, params, sender),
    )
    .serve('GET /api/proposals', ({ sender }) => listOpenProposals(sites, sender.identity))
    .serve('GET /api/sites/{siteId}/channels/{channelId}/targets', ({ params, sender }) =>
      listTargets(targets, params, sender),
    )
    .serve('POST /api/sites/{siteId}/channels/{channelId}/targets', ({ params, body, sender }) =>
      addTarget(targets, params, body, sender),
    )
    .serve('PATCH /api/sites/{siteId}/channels/{channelId}/targets/{targetId}', ({ params, body, sender }) =>
      changeTarget(targets, params, body, sender),
    )
    .serve('DELETE /api/sites/{siteId}/channels/{channelId}/targets/{targetId}', ({ params, sender }) =>
      removeTarget(targets, params, sender),
    )
    .serve('GET /api/sites/{siteId}/channels/{channelId}/targets/{targetId}/dry-run', ({ params, sender }) =>
      dryRunTarget(targets, params, sender),
    )
    .serve('GET /api/sites/{siteId}/channels/{channelId}/targets/{targetId}/deliveries', ({ params, sender }) =>
      listDeliveries(targets, params, sender),
    )
    .serve('POST /api/sites/{siteId}/channels/{channelId}/targets/{targetId}/deliveries', ({ params, body, sender }) =>
      requestDelivery(targets, params, body, sender),
    )
    .serve('POST /api/target-tests', ({ body, by }) => testTarget(targets, body, by))
    .serve('POST /api/host-keys', ({ body, by }) => readServerKey(targets, body, by))
    .serve('POST /api/hosted-sites/open', ({ body, by, sender }) => {
      const person = requirePerson(sender.identity, 'Only people can open hosted sites.')
      const at = { person, host: sender.host, by }
      return openHostedSite(hosting, body, at)
    })
}
