import type { Propose } from '@docket/api-types/publish-checks'
import { queryOptions } from '@tanstack/react-query'
import { siteKeys } from '#features/releases/sites/sites.queries.ts'
import { get, post, remove } from '#lib/api/api.ts'
import { useWrite } from '#ui/live/use-write.ts'

export const proposalsQuery = queryOptions({
  queryKey: ['sites', 'proposals'],
  queryFn: ({ signal }) => get('/api/proposals', { signal }),
  refetchInterval: 30_000,
})

type ChannelPath = { siteId: string; channelId: string }
type ProposalPath = ChannelPath & { proposalId: string }

export const useProposeChange = (params: ChannelPath) =>
  useWrite(['sites'], (body: Propose) => post('/api/sites/{siteId}/channels/{channelId}/proposals', { params, body }))

export const useWithdrawProposal = (params: ProposalPath) =>
  useWrite(['sites'], () => remove('/api/sites/{siteId}/channels/{channelId}/proposals/{proposalId}', { params }))

/** Approves a proposal, or withdraws the approval. The last required approval carries the proposal out. */
export const useApproveProposal = (params: ProposalPath) =>
  useWrite(siteKeys, (approves: boolean) =>
    approves
      ? post('/api/sites/{siteId}/channels/{channelId}/proposals/{proposalId}/approval', { params })
      : remove('/api/sites/{siteId}/channels/{channelId}/proposals/{proposalId}/approval', { params }),
  )
