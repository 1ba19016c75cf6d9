import { apiRoutes } from '#ground/http/api-routes.ts'
import { toSender } from '#releases/sites/to-sender.ts'
import type { GateService } from './gate.service.ts'

/** The gates of channels, and the approvals that they ask for. */
export const gateRoutes = (gate: GateService) =>
  apiRoutes()
    .serve('GET /api/sites/{siteId}/channels/{channelId}/gate', (c) =>
      gate.read(c.req.valid('param'), c.req.valid('query').export, toSender(c)),
    )
    .serve('POST /api/sites/{siteId}/channels/{channelId}/proposals', (c) =>
      gate.propose(c.req.valid('param'), c.req.valid('json'), toSender(c)),
    )
    .serve('DELETE /api/sites/{siteId}/channels/{channelId}/proposals/{proposalId}', (c) =>
      gate.withdraw(c.req.valid('param'), toSender(c)),
    )
    .serve('POST /api/sites/{siteId}/channels/{channelId}/proposals/{proposalId}/approval', (c) =>
      gate.approve(c.req.valid('param'), toSender(c)),
    )
    .serve('DELETE /api/sites/{siteId}/channels/{channelId}/proposals/{proposalId}/approval', (c) =>
      gate.takeBack(c.req.valid('param'), toSender(c)),
    )
