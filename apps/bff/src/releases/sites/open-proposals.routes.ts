import { apiRoutes } from '#ground/http/api-routes.ts'
import type { OpenProposals } from './open-proposals.ts'

/** `/api/proposals`: open proposals over all sites. */
export const openProposalRoutes = ({ openProposals }: { openProposals: OpenProposals }) =>
  apiRoutes().serve('GET /api/proposals', (c) => openProposals.list(c.var.identity))
