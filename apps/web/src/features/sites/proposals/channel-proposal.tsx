import type { Channel, Site } from '@docket/api-types/sites'
import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { permissions } from '#lib/permissions.ts'
import { Link } from '#ui/link.tsx'
import { ProposalCard } from './proposal-card.tsx'
import { proposalsQuery } from './proposals.queries.ts'

const link = 'inline-flex min-h-6 items-center text-sm text-accent underline-offset-2 hover:underline'

/** The open proposal of a channel, where others find and approve it. Renders nothing without one. */
export const ChannelProposal = ({ site, channel }: { site: Pick<Site, 'siteId'>; channel: Channel }) => {
  const proposal = useQuery(proposalsQuery).data?.proposals.find(({ channelId }) => channelId === channel.channelId)
  const role = useSyncExternalStore(permissions.subscribe, permissions.get)
  if (!proposal) return null
  const { exportId, needed, mayApprove } = proposal
  const shown = channel.current
  return (
    <section aria-label={`Approvals for ${channel.name}`} className="mt-3 rounded-md border border-attention/35 p-3">
      <ProposalCard siteId={site.siteId} channelId={channel.channelId} {...{ proposal, needed, mayApprove }} />
      {role !== 'none' && (
        <p className="mt-1.5">
          {shown?.isListed ? (
            <Link
              to="/exports/$exportId/changes"
              params={{ exportId }}
              search={{ against: shown.exportId }}
              className={link}
            >
              Compare with what it shows
            </Link>
          ) : (
            <Link to="/exports/$exportId" params={{ exportId }} className={link}>
              Show the export
            </Link>
          )}
        </p>
      )}
    </section>
  )
}
