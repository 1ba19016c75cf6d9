import type { Invitation } from '@docket/api-types/accounts'
import { Button } from '#ui/buttons/button.tsx'
import { StateLabel } from '#ui/marks/state-mark.tsx'
import { Instant } from '#ui/live/ticking.tsx'
import { toast, toastFailure } from '#ui/messages/toast.ts'
import { useRevoke } from './people.queries.ts'

/** One open invitation. */
export const InvitationRow = ({
  invitation: { invitationId, email, role, invitedBy, expiresAt },
}: {
  invitation: Invitation
}) => {
  const { mutate, isPending } = useRevoke()
  const takeBack = () =>
    mutate(invitationId, {
      onSuccess: () => toast(`The link for ${email} no longer works.`, { tone: 'done' }),
      onError: toastFailure(),
    })
  return (
    <>
      <div className="col-span-2 min-w-0 sm:col-span-1">
        <p className="font-medium wrap-anywhere">{email}</p>
        <p className="text-xs">
          <StateLabel tone="waiting">Invited</StateLabel>{' '}
          <span className="text-muted">as {role === 'none' ? 'limited' : role}</span>
        </p>
      </div>
      <div className="min-w-0 text-xs text-muted">
        <p className="wrap-anywhere">by {invitedBy}</p>
        <p>
          until <Instant at={expiresAt} />
        </p>
      </div>
      <Button
        className="justify-self-end"
        busy={isPending}
        aria-label={`Withdraw the invitation for ${email}`}
        onClick={takeBack}
      >
        Withdraw
      </Button>
    </>
  )
}
