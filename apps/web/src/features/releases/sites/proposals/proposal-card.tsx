import type { Proposal } from '@docket/api-types/publish-checks'
import { isolateText, formatCount, revealHiddenCharacters } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { FormFailure } from '#ui/forms/form.tsx'
import { Ago } from '#ui/live/ticking.tsx'
import { StateLabel } from '#ui/marks/state-mark.tsx'
import { toastDone } from '#ui/messages/toast.ts'
import { useApproveProposal, useWithdrawProposal } from './proposals.queries.ts'

type ProposalCardProps = {
  siteId: string
  channelId: string
  proposal: Proposal
  needed: number
  mayApprove: boolean
}

/** The card shows failures. */
const toastWhenDone = (command: Promise<unknown>, message: string) =>
  void command.then(toastDone(message), () => undefined)

const notYours = 'Only people who may publish to this channel can approve. Ask an admin for access.'

const ApprovalList = ({ proposal: { approvals }, needed }: Pick<ProposalCardProps, 'proposal' | 'needed'>) => (
  <div>
    <StateLabel tone={approvals.length >= needed ? 'done' : 'waiting'}>
      {formatCount(approvals.length)} of {formatCount(needed)} approvals
    </StateLabel>
    <ul className="mt-1 text-muted">
      {approvals.map(({ by, at }) => (
        <li key={`${by} ${at}`} className="wrap-anywhere">
          <bdi className="text-text">{by}</bdi> approved <Ago at={at} />
        </li>
      ))}
    </ul>
  </div>
)

export const ProposalCard = ({ siteId, channelId, proposal, needed, mayApprove }: ProposalCardProps) => {
  const path = { siteId, channelId, proposalId: proposal.proposalId }
  const approving = useApproveProposal(path)
  const withdrawing = useWithdrawProposal(path)
  const { askedBy, askedWith, isOwn, note, askedAt, approvals } = proposal
  const asker = askedWith === null ? askedBy : `A program (${isolateText(askedWith)}, of ${isolateText(askedBy)})`
  const hasApproved = approvals.some((approval) => approval.isOwn)
  const approve = () =>
    toastWhenDone(approving.mutateAsync(!hasApproved), hasApproved ? 'Took your approval back.' : 'Approved.')
  const withdraw = () => toastWhenDone(withdrawing.mutateAsync(), 'Withdrew the request.')
  return (
    <div className="grid gap-2.5 text-sm">
      <div>
        <p className="wrap-anywhere">
          {isOwn && askedWith === null ? 'You' : <bdi className="font-medium">{asker}</bdi>} asked for approvals{' '}
          <Ago at={askedAt} />
        </p>
        {note && (
          <p className="mt-0.5 whitespace-pre-wrap text-muted wrap-anywhere">
            <bdi>{revealHiddenCharacters(note)}</bdi>
          </p>
        )}
      </div>
      <ApprovalList proposal={proposal} needed={needed} />
      <FormFailure error={approving.error ?? withdrawing.error} />
      <div className="flex flex-wrap gap-2">
        {isOwn ? (
          <Button busy={withdrawing.isPending} onClick={withdraw}>
            Withdraw request
          </Button>
        ) : (
          <Button
            variant={hasApproved ? 'secondary' : 'primary'}
            busy={approving.isPending}
            refused={mayApprove || hasApproved ? null : notYours}
            onClick={approve}
          >
            {hasApproved ? 'Take approval back' : 'Approve'}
          </Button>
        )}
      </div>
    </div>
  )
}
