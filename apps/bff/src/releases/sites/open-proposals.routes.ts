import { apiRoute, apiRoutes } from '#ground/http/api-routes.ts'
import type { OpenProposals } from './open-proposals.ts'

const list = apiRoute('GET', '/api/proposals', {
  summary: 'Promotions that wait for approvals',
  answer: 'The open proposals of channels that the sender may see, oldest first.',
})

/** `/api/proposals`: open proposals over all sites. */
export const openProposalRoutes = ({ openProposals }: { openProposals: OpenProposals }) =>
  apiRoutes().serve(list, (c) => openProposals.list(c.var.identity))
