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
import { readSender } from './sites/site-access.ts'
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
    .serve('POST /api/static-exports/{exportId}/artifact/previews', ({ exportId, body, by }, c) =>
      openPreview(previews, exportId, {
        path: body.path,
        sessionId: readSession(c.var.identity),
        host: c.req.header('host') ?? '',
        by,
      }),
    )
    .serve('GET /api/static-exports/{exportId}/artifact/previews/{previewId}', ({ params }, c) =>
      readPreview(previews, { ...params, sessionId: readSession(c.var.identity) }),
    )
    .serve('DELETE /api/static-exports/{exportId}/artifact/previews/{previewId}', ({ params }, c) =>
      closePreview(previews, { ...params, sessionId: readSession(c.var.identity) }),
    )
    .serve('GET /api/sites', (_, c) => listSites(sites, readSender(c)))
    .serve('GET /api/sites/{siteId}', ({ siteId }, c) => readSite(sites, siteId, readSender(c)))
    .serve('PATCH /api/sites/{siteId}', ({ siteId, body }, c) =>
      siteAfter(c, changeSite(sites, siteId, body, readSender(c))),
    )
    .serve('DELETE /api/sites/{siteId}', ({ siteId }, c) => removeSite(sites, siteId, readSender(c)))
    .serve('GET /api/sites/{siteId}/artifacts', ({ siteId }, c) => listSiteArtifacts(sites, siteId, readSender(c)))
    .serve('GET /api/sites/{siteId}/releases', ({ siteId, query }, c) =>
      listSiteReleases(sites, siteId, query, readSender(c)),
    )
    .serve('POST /api/sites/{siteId}/join', ({ siteId, body }, c) =>
      siteAfter(c, joinSites(sites, siteId, body.siteId, readSender(c))),
    )
    .serve('POST /api/sites/{siteId}/separate', ({ siteId, body }, c) =>
      siteAfter(c, separateSite(sites, siteId, body, readSender(c))),
    )
    .serve('POST /api/sites/{siteId}/channels', ({ siteId, body }, c) =>
      siteAfter(c, addChannel(sites, siteId, body, readSender(c))),
    )
    .serve('PATCH /api/sites/{siteId}/channels/{channelId}', ({ params, body }, c) =>
      channelAfter(c, changeChannel(sites, params, body, readSender(c))),
    )
    .serve('DELETE /api/sites/{siteId}/channels/{channelId}', ({ params }, c) =>
      removeChannel(sites, params, readSender(c)),
    )
    .serve('GET /api/sites/{siteId}/channels/{channelId}/releases', ({ params, query }, c) =>
      listReleases(sites, params, query, readSender(c)),
    )
    .serve('POST /api/sites/{siteId}/channels/{channelId}/releases', ({ params, body }, c) =>
      channelAfter(c, publishArtifact(sites, params, body, readSender(c))),
    )
    .serve('POST /api/sites/{siteId}/channels/{channelId}/rollback', ({ params, body }, c) =>
      channelAfter(c, rollBack(sites, params, body, readSender(c))),
    )
    .serve('POST /api/sites/{siteId}/channels/{channelId}/pin', ({ params, body }, c) =>
      channelAfter(c, pinChannel(sites, params, body, readSender(c))),
    )
    .serve('DELETE /api/sites/{siteId}/channels/{channelId}/pin', ({ params, query }, c) =>
      channelAfter(c, unpinChannel(sites, params, query, readSender(c))),
    )
    .serve('GET /api/static-exports/{exportId}/site', ({ exportId }, c) =>
      readSiteOfExport(sites, exportId, readSender(c)),
    )
    .serve('GET /api/sites/{siteId}/channels/{channelId}/publish-checks', ({ params, query }, c) =>
      readPublishChecks(sites, params, query.export, readSender(c)),
    )
    .serve('POST /api/sites/{siteId}/channels/{channelId}/proposals', ({ params, body }, c) =>
      requestApprovals(sites, params, body, readSender(c)),
    )
    .serve('DELETE /api/sites/{siteId}/channels/{channelId}/proposals/{proposalId}', ({ params }, c) =>
      withdrawProposal(sites, params, readSender(c)),
    )
    .serve('POST /api/sites/{siteId}/channels/{channelId}/proposals/{proposalId}/approval', ({ params }, c) =>
      approveProposal(sites, params, readSender(c)),
    )
    .serve('DELETE /api/sites/{siteId}/channels/{channelId}/proposals/{proposalId}/approval', ({ params }, c) =>
      withdrawApproval(sites, params, readSender(c)),
    )
    .serve('GET /api/proposals', (_, c) => listOpenProposals(sites, c.var.identity))
    .serve('GET /api/sites/{siteId}/channels/{channelId}/targets', ({ params }, c) =>
      listTargets(targets, params, readSender(c)),
    )
    .serve('POST /api/sites/{siteId}/channels/{channelId}/targets', ({ params, body }, c) =>
      addTarget(targets, params, body, readSender(c)),
    )
    .serve('PATCH /api/sites/{siteId}/channels/{channelId}/targets/{targetId}', ({ params, body }, c) =>
      changeTarget(targets, params, body, readSender(c)),
    )
    .serve('DELETE /api/sites/{siteId}/channels/{channelId}/targets/{targetId}', ({ params }, c) =>
      removeTarget(targets, params, readSender(c)),
    )
    .serve('GET /api/sites/{siteId}/channels/{channelId}/targets/{targetId}/dry-run', ({ params }, c) =>
      dryRunTarget(targets, params, readSender(c)),
    )
    .serve('GET /api/sites/{siteId}/channels/{channelId}/targets/{targetId}/deliveries', ({ params }, c) =>
      listDeliveries(targets, params, readSender(c)),
    )
    .serve('POST /api/sites/{siteId}/channels/{channelId}/targets/{targetId}/deliveries', ({ params, body }, c) =>
      requestDelivery(targets, params, body, readSender(c)),
    )
    .serve('POST /api/target-tests', ({ body, by }) => testTarget(targets, body, by))
    .serve('POST /api/host-keys', ({ body, by }) => readServerKey(targets, body, by))
    .serve('POST /api/hosted-sites/open', ({ body, by }, c) => {
      const person = requirePerson(c.var.identity, 'Only people can open hosted sites.')
      const at = { person, host: c.req.header('host') ?? '', by }
      return openHostedSite(hosting, body, at)
    })
}
