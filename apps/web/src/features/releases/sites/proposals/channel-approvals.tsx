import type { Proposal } from '@docket/api-types/publish-checks'
import type { Channel } from '@docket/api-types/sites'
import { useQuery } from '@tanstack/react-query'
import { isolateText, formatPlural } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { FormFailure } from '#ui/forms/form.tsx'
import { toastDone } from '#ui/messages/toast.ts'
import { ProposalCard } from './proposal-card.tsx'
import { proposalsQuery, useProposeChange } from './proposals.queries.ts'

type ChannelApprovalsProps = {
  siteId: string
  channel: Channel
  /** Export to publish. Null: the proposal makes the channel public. */
  exportId: string | null
  proposal: Proposal | null
  note?: string
}

const ProposeButton = ({ siteId, channel, exportId, note = '' }: ChannelApprovalsProps) => {
  const { channelId } = channel
  const { mutate, error, isPending } = useProposeChange({ siteId, channelId })
  const replaced = useQuery(proposalsQuery).data?.proposals.find(
    (one) => one.channelId === channelId && exportId !== null && one.exportId !== null,
  )
  const ask = () =>
    mutate(
      { exportId, note: note.trim() || null },
      { onSuccess: toastDone('Asked for approvals. Others find it on the page of the site.') },
    )
  return (
    <div className="grid gap-3 text-sm">
      <p className="text-muted">
        {formatPlural(channel.publishChecks.approvals, 'other person', 'other people')} must approve this
        {exportId !== null && ' bundle'} first.
        {replaced && ` The request by ${isolateText(replaced.askedBy)} for another bundle ends.`}
      </p>
      <FormFailure error={error} />
      <Button
        className="justify-self-start"
        busy={isPending}
        refused={channel.mayPublish ? null : 'Only people who may publish to this channel can ask.'}
        onClick={ask}
      >
        Ask for approvals
      </Button>
    </div>
  )
}

export const ChannelApprovals = (props: ChannelApprovalsProps) => {
  const { siteId, channel, proposal } = props
  return (
    <section aria-label="Approvals" className="rounded-md border border-line p-3">
      {proposal ? (
        <ProposalCard
          siteId={siteId}
          channelId={channel.channelId}
          proposal={proposal}
          needed={channel.publishChecks.approvals}
          mayApprove={channel.mayPublish && !proposal.isOwn}
        />
      ) : (
        <ProposeButton {...props} />
      )}
    </section>
  )
}
