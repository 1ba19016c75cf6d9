import type { OpenProposalList } from '@docket/api-types/open-proposals'
import { defaultGate } from '@docket/api-types/gates'
import { asc, inArray, isNull } from 'drizzle-orm'
import type { Database } from '#db/database.ts'
import type { Identity } from '#identity/identity.ts'
import { mayPromote, maySeeChannel } from '#identity/site-rights.ts'
import type { SiteReader } from './site-reader.ts'
import { approvals, proposals } from './sites.table.ts'

/** Lists open proposals over all sites, for pages on which others find them. */
export const openProposals = ({ db, reader }: { db: Database; reader: Pick<SiteReader, 'list'> }) => ({
  /** Those of channels that somebody may see, the oldest first. */
  list: async (identity: Identity): Promise<OpenProposalList> => {
    const open = await db.select().from(proposals).where(isNull(proposals.endedAt)).orderBy(asc(proposals.askedAt))
    if (open.length === 0) return { proposals: [] }
    const sites = await reader.list()
    const approved = await db
      .select()
      .from(approvals)
      .where(
        inArray(
          approvals.proposalId,
          open.map(({ proposalId }) => proposalId),
        ),
      )
      .orderBy(asc(approvals.at))
    const userId = identity?.kind === 'person' ? identity.userId : null
    return {
      proposals: open.flatMap(({ proposalId, channelId, exportId, sha256, askedBy, askedById, note, askedAt }) => {
        const site = sites.find(({ channels }) => channels.some((one) => one.channelId === channelId))
        const channel = site?.channels.find((one) => one.channelId === channelId)
        if (!site || !channel || !maySeeChannel(identity, site, channelId)) return []
        const isOwn = askedById === (identity?.kind === 'token' ? identity.tokenId : userId)
        return {
          proposalId,
          exportId,
          sha256,
          askedBy,
          isOwn,
          note,
          askedAt: askedAt.toISOString(),
          approvals: approved
            .filter((one) => one.proposalId === proposalId)
            .map(({ name, at, userId: by }) => ({ by: name, at: at.toISOString(), isOwn: by === userId })),
          siteId: site.siteId,
          siteName: site.name,
          channelId,
          channelName: channel.name,
          needed: (channel.gate ?? defaultGate).approvals,
          mayApprove: userId !== null && !isOwn && mayPromote(identity, site, channel),
        }
      }),
    }
  },
})

export type OpenProposals = ReturnType<typeof openProposals>
