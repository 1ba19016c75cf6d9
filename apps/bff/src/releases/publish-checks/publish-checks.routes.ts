import { apiRoutes } from '#ground/http/api-routes.ts'
import type { ReleasesCtx } from '#releases/releases-ctx.ts'
import { readSender } from '#releases/sites/sender.ts'
import {
  approveProposal,
  listOpenProposals,
  requestApprovals,
  withdrawApproval,
  withdrawProposal,
} from './approvals.ts'
import { readPublishChecks } from './may-publish.ts'

export const publishCheckRoutes = (ctx: ReleasesCtx) =>
  apiRoutes()
    .serve('GET /api/sites/{siteId}/channels/{channelId}/publish-checks', (c) =>
      readPublishChecks(ctx, c.req.valid('param'), c.req.valid('query').export, readSender(c)),
    )
    .serve('POST /api/sites/{siteId}/channels/{channelId}/proposals', (c) =>
      requestApprovals(ctx, c.req.valid('param'), c.req.valid('json'), readSender(c)),
    )
    .serve('DELETE /api/sites/{siteId}/channels/{channelId}/proposals/{proposalId}', (c) =>
      withdrawProposal(ctx, c.req.valid('param'), readSender(c)),
    )
    .serve('POST /api/sites/{siteId}/channels/{channelId}/proposals/{proposalId}/approval', (c) =>
      approveProposal(ctx, c.req.valid('param'), readSender(c)),
    )
    .serve('DELETE /api/sites/{siteId}/channels/{channelId}/proposals/{proposalId}/approval', (c) =>
      withdrawApproval(ctx, c.req.valid('param'), readSender(c)),
    )
    .serve('GET /api/proposals', (c) => listOpenProposals(ctx, c.var.identity))
