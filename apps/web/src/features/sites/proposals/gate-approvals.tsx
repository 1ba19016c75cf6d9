import type { Gate } from '@docket/api-types/gates'
import type { Channel } from '@docket/api-types/sites'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isolate } from '#lib/bidi.ts'
import { formatPlural } from '#lib/format.ts'
import { Button } from '#ui/button.tsx'
import { TextArea } from '#ui/forms/field.tsx'
import { FormFailure } from '#ui/forms/form-failure.tsx'
import { toast } from '#ui/toast.ts'
import { ProposalCard } from './proposal-card.tsx'
import { proposalsQuery, usePropose } from './proposals.queries.ts'

type GateApprovalsProps = { siteId: string; channel: Channel; gate: Gate }

const Ask = ({ siteId, channel, gate }: GateApprovalsProps) => {
  const { channelId } = channel
  const { mutate, error, isPending } = usePropose({ siteId, channelId })
  const [note, setNote] = useState('')
  const replaced = useQuery(proposalsQuery).data?.proposals.find((one) => one.channelId === channelId)
  const ask = () =>
    mutate(
      { exportId: gate.exportId, note: note.trim() || null },
      { onSuccess: () => toast('Asked for approvals. Others find it on the page of the site.', { tone: 'done' }) },
    )
  return (
    <div className="grid gap-3 text-sm">
      <p className="text-muted">
        {formatPlural(channel.gate.approvals, 'other person', 'other people')} must approve this bundle first.
        {replaced && ` The request by ${isolate(replaced.askedBy)} for another bundle ends.`}
      </p>
      <TextArea
        label="Note for them"
        optional
        prose
        maxLength={2000}
        value={note}
        onChange={({ target }) => setNote(target.value)}
      />
      <FormFailure error={error} />
      <Button
        className="justify-self-start"
        busy={isPending}
        refused={gate.mayPromote ? null : 'Only people who may promote to this channel can ask.'}
        onClick={ask}
      >
        Ask for approvals
      </Button>
    </div>
  )
}

/** Approvals that a gate asks for: asks others, or shows the open proposal for these bytes. Renders nothing for a gate without. */
export const GateApprovals = (props: GateApprovalsProps) => {
  const { siteId, channel, gate } = props
  const needed = channel.gate.approvals
  if (needed === 0 || gate.isShown) return null
  return (
    <section aria-label="Approvals" className="rounded-md border border-line p-3">
      {gate.proposal ? (
        <ProposalCard
          siteId={siteId}
          channelId={channel.channelId}
          proposal={gate.proposal}
          needed={needed}
          mayApprove={gate.mayPromote && !gate.proposal.isOwn}
        />
      ) : (
        <Ask {...props} />
      )}
    </section>
  )
}
