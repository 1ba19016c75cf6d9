import { z } from 'zod'
import { Proposal } from './publish-checks.ts'

/** An open proposal, with the channel that it is about. */
export const OpenProposal = Proposal.extend({
  siteId: z.uuid(),
  siteName: z.string(),
  channelId: z.uuid(),
  channelName: z.string(),
  /** People who must approve, as the gate asks now. */
  needed: z.int().nonnegative(),
  /** The sender may approve it: a person other than the one who asks, who may promote to the channel. */
  mayApprove: z.boolean(),
})
export type OpenProposal = z.infer<typeof OpenProposal>

/** Open proposals of every channel that the sender may see, the oldest first. */
export const OpenProposalList = z.object({ proposals: z.array(OpenProposal) })
export type OpenProposalList = z.infer<typeof OpenProposalList>
