import { apiRoutes } from '#ground/http/api-routes.ts'
import { toSender } from '#releases/sites/to-sender.ts'
import type { deliveryService } from './deliveries.service.ts'
import type { targetTester } from './target-tests.ts'
import type { targetService } from './targets.service.ts'

/** `/api/sites/…/targets`: targets of channels and deliveries to them. The services decide who may see and change what. */
export const targetRoutes = ({
  targets,
  tester,
  deliveries,
}: {
  targets: ReturnType<typeof targetService>
  tester: ReturnType<typeof targetTester>
  deliveries: ReturnType<typeof deliveryService>
}) =>
  apiRoutes()
    .serve('GET /api/sites/{siteId}/channels/{channelId}/targets', (c) =>
      targets.list(c.req.valid('param'), toSender(c)),
    )
    .serve('POST /api/sites/{siteId}/channels/{channelId}/targets', (c) =>
      targets.add(c.req.valid('param'), c.req.valid('json'), toSender(c)),
    )
    .serve('PATCH /api/sites/{siteId}/channels/{channelId}/targets/{targetId}', (c) =>
      targets.change(c.req.valid('param'), c.req.valid('json'), toSender(c)),
    )
    .serve('DELETE /api/sites/{siteId}/channels/{channelId}/targets/{targetId}', (c) =>
      targets.remove(c.req.valid('param'), toSender(c)),
    )
    .serve('GET /api/sites/{siteId}/channels/{channelId}/targets/{targetId}/dry-run', (c) =>
      targets.dryRun(c.req.valid('param'), toSender(c)),
    )
    .serve('GET /api/sites/{siteId}/channels/{channelId}/targets/{targetId}/deliveries', (c) =>
      deliveries.list(c.req.valid('param'), toSender(c)),
    )
    .serve('POST /api/sites/{siteId}/channels/{channelId}/targets/{targetId}/deliveries', (c) =>
      deliveries.request(c.req.valid('param'), c.req.valid('json'), toSender(c)),
    )
    .serve('POST /api/target-tests', (c) => tester.test(c.req.valid('json'), c.var.actor))
    .serve('POST /api/host-keys', (c) => tester.readHostKey(c.req.valid('json'), c.var.actor))
