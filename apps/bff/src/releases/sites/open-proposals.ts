import type { OpenProposalList } from '@docket/api-types/open-proposals'
import { defaultGate } from '@docket/api-types/gates'
import { asc, isNull } from 'drizzle-orm'
import type { Database } from '#ground/db/database.ts'
import type { Identity } from '#ground/identity/identity.ts'
import { mayPromote, maySeeChannel } from '#ground/identity/site-rights.ts'
import { addApprovals, toProposal } from './open-proposal.ts'
import type { SiteReader } from './site-reader.ts'
import { proposals } from './proposals.table.ts'

/** Lists open proposals over all sites, for pages on which others find them. */
export const openProposals = ({ db, reader }: { db: Database; reader: Pick<SiteReader, 'list'> }) => ({
  /** Those of channels that somebody may see, the oldest first. */
  list: async (identity: Identity): Promise<OpenProposalList> => {
    const open = await db.select().from(proposals).where(isNull(proposals.endedAt)).orderBy(asc(proposals.askedAt))
    if (open.length === 0) return { proposals: [] }
    const channels = (await reader.list()).flatMap((site) => site.channels.map((channel) => ({ site, channel })))
    const seen = open.flatMap((proposal) => {
      const found = channels.find(({ channel }) => channel.channelId === proposal.channelId)
      return found && maySeeChannel(identity, found.site, proposal.channelId) ? [{ ...found, proposal }] : []
    })
    const isPerson = identity?.kind === 'person'
    return {
      proposals: (await addApprovals(db, seen)).map(({ site, channel, proposal }) => {
        const shown = toProposal(proposal, identity)
        return {
          ...shown,
          siteId: site.siteId,
          siteName: site.name,
          channelId: channel.channelId,
          channelName: channel.name,
          needed: (channel.gate ?? defaultGate).approvals,
          mayApprove: isPerson && !shown.isOwn && mayPromote(identity, site, channel),
        }
      }),
    }
  },
})

export type OpenProposals = ReturnType<typeof openProposals>
