import type { OpenProposal } from '@docket/api-types/publish-checks'
import type { Site } from '@docket/api-types/sites'
import { useQuery } from '@tanstack/react-query'
import { Button, buttonClass } from '#ui/buttons/button.tsx'
import { Panel } from '#ui/layout/page.tsx'
import { Link } from '#ui/links/link.tsx'
import { ProposalCard } from './proposal-card.tsx'
import { proposalsQuery } from './proposals.queries.ts'

type SiteProposalsProps = {
  site: Site
  seesExports: boolean
  onPublish: (channelId: string, exportId: string) => void
}

const CompareProposalLink = ({
  site,
  exportId,
  proposal,
}: {
  site: Site
  exportId: string
  proposal: OpenProposal
}) => {
  const shown = site.channels.find(({ channelId }) => channelId === proposal.channelId)?.current
  return shown?.isListed ? (
    <Link
      to="/exports/$exportId/changes"
      params={{ exportId }}
      search={{ against: shown.exportId }}
      className={buttonClass()}
    >
      Compare with {proposal.channelName}
    </Link>
  ) : (
    <Link to="/exports/$exportId" params={{ exportId }} className={buttonClass()}>
      Show the export
    </Link>
  )
}

export const SiteProposals = ({ site, seesExports, onPublish }: SiteProposalsProps) => {
  const proposals = useQuery(proposalsQuery).data?.proposals.filter(({ siteId }) => siteId === site.siteId) ?? []
  if (proposals.length === 0) return null
  return (
    <Panel title="Waiting for approvals">
      <ul className="divide-y divide-line">
        {proposals.map((proposal) => {
          const { proposalId, channelId, channelName, exportId, needed, mayApprove } = proposal
          const what = exportId === null ? `Make ${channelName} public` : `Publish to ${channelName}`
          const channel = site.channels.find((one) => one.channelId === channelId)
          return (
            <li key={proposalId} aria-label={what} className="py-3 first:pt-0 last:pb-0">
              <p className="mb-1.5 text-sm font-medium wrap-anywhere">{what}</p>
              <ProposalCard siteId={site.siteId} {...{ channelId, proposal, needed, mayApprove }} />
              <div className="mt-2 flex flex-wrap gap-2">
                {seesExports && exportId !== null && <CompareProposalLink {...{ site, exportId, proposal }} />}
                {exportId !== null && channel?.mayPublish && proposal.approvals.length >= needed && (
                  <Button variant="primary" onClick={() => onPublish(channelId, exportId)}>
                    Publish
                  </Button>
                )}
              </div>
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}
