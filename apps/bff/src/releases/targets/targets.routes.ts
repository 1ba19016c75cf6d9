import { apiRoutes } from '#ground/http/api-routes.ts'
import type { TargetsCtx } from '#releases/releases-ctx.ts'
import { readSender } from '#releases/sites/sender.ts'
import { listDeliveries, requestDelivery } from './deliveries.ts'
import { addTarget, changeTarget, dryRunTarget, listTargets, removeTarget } from './targets.ts'
import { readServerKey, testTarget } from './test-target.ts'

/** Each verb decides who may see and change what. */
export const targetRoutes = (ctx: TargetsCtx) =>
  apiRoutes()
    .serve('GET /api/sites/{siteId}/channels/{channelId}/targets', (c) =>
      listTargets(ctx, c.req.valid('param'), readSender(c)),
    )
    .serve('POST /api/sites/{siteId}/channels/{channelId}/targets', (c) =>
      addTarget(ctx, c.req.valid('param'), c.req.valid('json'), readSender(c)),
    )
    .serve('PATCH /api/sites/{siteId}/channels/{channelId}/targets/{targetId}', (c) =>
      changeTarget(ctx, c.req.valid('param'), c.req.valid('json'), readSender(c)),
    )
    .serve('DELETE /api/sites/{siteId}/channels/{channelId}/targets/{targetId}', (c) =>
      removeTarget(ctx, c.req.valid('param'), readSender(c)),
    )
    .serve('GET /api/sites/{siteId}/channels/{channelId}/targets/{targetId}/dry-run', (c) =>
      dryRunTarget(ctx, c.req.valid('param'), readSender(c)),
    )
    .serve('GET /api/sites/{siteId}/channels/{channelId}/targets/{targetId}/deliveries', (c) =>
      listDeliveries(ctx, c.req.valid('param'), readSender(c)),
    )
    .serve('POST /api/sites/{siteId}/channels/{channelId}/targets/{targetId}/deliveries', (c) =>
      requestDelivery(ctx, c.req.valid('param'), c.req.valid('json'), readSender(c)),
    )
    .serve('POST /api/target-tests', (c) => testTarget(ctx, c.req.valid('json'), c.var.actor))
    .serve('POST /api/host-keys', (c) => readServerKey(ctx, c.req.valid('json'), c.var.actor))
