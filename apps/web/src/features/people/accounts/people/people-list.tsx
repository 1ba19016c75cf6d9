import type { User, Invitation } from '@docket/api-types/accounts'
import type { Role } from '@docket/api-types/session'
import { useQuery } from '@tanstack/react-query'
import { UserPlus, Users } from 'lucide-react'
import { useState } from 'react'
import { GrantsSection } from '#features/people/accounts/grants/grants-section.tsx'
import { grantsQuery } from '#features/people/accounts/grants/grants.queries.ts'
import type { Places } from '#features/people/accounts/grants/places.ts'
import { useSession } from '#features/people/accounts/session.queries.ts'
import { findErrorAt } from '#lib/api/api-error.ts'
import { formatCount } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { Choices } from '#ui/forms/choices.tsx'
import { bindText, Form, FormFailure, TextField } from '#ui/forms/form.tsx'
import { EmptyState, Skeleton, ReadState } from '#ui/layout/page.tsx'
import { Instant } from '#ui/live/ticking.tsx'
import { toastEnd } from '#ui/live/use-write.ts'
import { StateLabel } from '#ui/marks/state-mark.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { OneTimeLinkPanel } from './link-shown.tsx'
import { peopleQuery, useRevokeInvitation, useInvitePerson } from './people.queries.ts'
import { PersonRow } from './person-row.tsx'
import { offerRoles } from './roles.ts'

type InviteFormProps = { canLimit: boolean; onDone: () => void }

const InviteForm = ({ canLimit, onDone }: InviteFormProps) => {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('operator')
  const { mutate, data: link, error, isPending } = useInvitePerson()
  if (link) return <OneTimeLinkPanel link={link} whose={email.trim()} onDone={onDone} />
  return (
    <Form onSubmit={() => mutate({ email, role })} busy={isPending} className="grid gap-4">
      <TextField
        label="E-mail"
        type="email"
        autoCapitalize="none"
        data-autofocus
        {...bindText(email, setEmail)}
        error={findErrorAt(error, 'email')}
        hint="They sign in with this address."
      />
      <Choices legend="Role" options={offerRoles(canLimit)} value={role} onChange={setRole} />
      <FormFailure error={error} fields={['email']} />
      <Button type="submit" variant="primary" busy={isPending} className="justify-self-end">
        Create link
      </Button>
    </Form>
  )
}

type InvitationRowProps = { invitation: Invitation }

const InvitationRow = ({ invitation: { invitationId, email, role, invitedBy, expiresAt } }: InvitationRowProps) => {
  const { mutateAsync, isPending } = useRevokeInvitation()
  const takeBack = () => toastEnd(mutateAsync(invitationId), `The link for ${email} no longer works.`)
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

const row =
  'grid min-h-18 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-5 gap-y-2 px-4 py-3 text-sm sm:grid-cols-[minmax(0,1fr)_11rem_9rem]'

const canSignIn = (user: User) => user.disabledAt === null && user.role === 'admin'

const isOnlyPerson = (users: readonly User[], invitations: readonly unknown[]) =>
  users.length === 1 && invitations.length === 0

export const PeopleList = (places: Places) => {
  const query = useQuery(peopleQuery)
  const { data } = query
  const grants = useQuery(grantsQuery).data ?? []
  const hasPlaces = places.connections.length > 1 || grants.length > 0 || places.sites.length > 0
  const selfId = useSession().data?.person?.userId
  const [inviting, setInviting] = useState(false)
  const lastAdmin = data && data.users.filter(canSignIn).length === 1 ? data.users.find(canSignIn) : undefined
  const invite = (
    <Button icon={UserPlus} variant="primary" onClick={() => setInviting(true)}>
      Invite someone
    </Button>
  )
  return (
    <section aria-labelledby="people-heading">
      <div className="mb-3 flex min-h-8 items-center justify-between gap-4">
        <h2 id="people-heading" className="text-base font-semibold">
          People{data && <span className="ml-2 font-normal text-muted">{formatCount(data.users.length)}</span>}
        </h2>
        {data && !isOnlyPerson(data.users, data.invitations) && invite}
      </div>
      <ReadState query={query} waiting={<Skeleton className="h-56 w-full" />} />
      {data && (
        <ul className="panel divide-y divide-line">
          {data.users.map((user) => (
            <li key={user.userId} className={`${row} ${user.disabledAt === null ? '' : 'bg-sunken'}`}>
              <PersonRow
                user={user}
                isSelf={user.userId === selfId}
                isLastAdmin={user === lastAdmin}
                grants={grants.filter(({ userId }) => userId === user.userId)}
                places={places}
                canLimit={hasPlaces}
              />
            </li>
          ))}
          {data.invitations.map((invitation) => (
            <li key={invitation.invitationId} className={row}>
              <InvitationRow invitation={invitation} />
            </li>
          ))}
        </ul>
      )}
      {data && isOnlyPerson(data.users, data.invitations) && (
        <div className="mt-4">
          <EmptyState icon={<Users strokeWidth={1.5} />} title="Just you so far" action={invite}>
            Create a one-time link and send it to a colleague.
          </EmptyState>
        </div>
      )}
      {data && hasPlaces && <GrantsSection people={data.users} {...{ grants, places }} />}
      <p className="mt-4 max-w-prose text-xs text-muted">
        Changing a role or disabling an account ends that person’s sessions. Their API tokens never do more than they
        may, and pause while they are disabled. You can’t do either to yourself or to the last admin who can sign in.
      </p>
      {inviting && (
        <Dialog onClose={() => setInviting(false)} title="Invite someone">
          <InviteForm canLimit={hasPlaces} onDone={() => setInviting(false)} />
        </Dialog>
      )}
    </section>
  )
}
