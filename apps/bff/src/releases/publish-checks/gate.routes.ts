import { apiRoute, apiRoutes } from '#ground/http/api-routes.ts'
import { toSender } from '#releases/sites/to-sender.ts'
import type { GateService } from './gate.service.ts'

const ofChannel = '/api/sites/{siteId}/channels/{channelId}'
const ofProposal = `${ofChannel}/proposals/{proposalId}` as const

const read = apiRoute('GET', `${ofChannel}/gate`, {
  summary: 'Whether a stored bundle may be promoted to a channel, condition by condition',
  answer: 'Each condition for this bundle, and the request for approvals.',
})
const propose = apiRoute('POST', `${ofChannel}/proposals`, {
  summary:
    'Ask others to approve a promotion, or that the channel becomes public; replaces a request for another bundle',
  answer: 'The request for approvals, with those that count.',
})
const withdraw = apiRoute('DELETE', ofProposal, {
  summary: 'Withdraw a request for approvals',
  answer: 'It has ended.',
})
const approve = apiRoute('POST', `${ofProposal}/approval`, {
  summary: 'Approve what somebody else asked for',
  answer: 'Approved.',
})
const takeBack = apiRoute('DELETE', `${ofProposal}/approval`, {
  summary: 'Take one’s own approval back',
  answer: 'It counts no more.',
})

/** The gates of channels, and the approvals that they ask for. */
export const gateRoutes = (gate: GateService) =>
  apiRoutes()
    .serve(read, (c) => gate.read(c.req.valid('param'), c.req.valid('query').export, toSender(c)))
    .serve(propose, (c) => gate.propose(c.req.valid('param'), c.req.valid('json'), toSender(c)))
    .serve(withdraw, (c) => gate.withdraw(c.req.valid('param'), toSender(c)))
    .serve(approve, (c) => gate.approve(c.req.valid('param'), toSender(c)))
    .serve(takeBack, (c) => gate.takeBack(c.req.valid('param'), toSender(c)))
