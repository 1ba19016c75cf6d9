import type { User } from '@docket/api-types/accounts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SessionList } from '#features/people/accounts/session-list.tsx'
import { isolateText, formatPlural } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { Choices } from '#ui/forms/choices.tsx'
import { FormFailure } from '#ui/forms/form.tsx'
import { Skeleton } from '#ui/layout/page.tsx'
import { toastDone } from '#ui/messages/toast.ts'
import { DeleteDialog, Dialog } from '#ui/overlays/dialog.tsx'
import { OneTimeLinkPanel } from './link-shown.tsx'
import { useDeleteUser, useEndSessions, useCreatePasswordLink, userSessionsQuery } from './people.queries.ts'

export type PersonDialog = 'password link' | 'sessions' | 'delete'

type DialogProps = { user: User; onClose: () => void }

const PasswordLinkDialog = ({ user, onClose }: DialogProps) => {
  const { mutate, data: link, error, isPending } = useCreatePasswordLink()
  if (link) return <OneTimeLinkPanel link={link} whose={user.name} onDone={onClose} />
  return (
    <div className="grid gap-4">
      <p className="text-sm text-muted">
        The link lets them set a new password without the old one, and then ends their other sessions. Anyone with the
        link can use it.
      </p>
      <FormFailure error={error} />
      <Button
        variant="primary"
        className="justify-self-end"
        busy={isPending}
        onClick={() => mutate(user.userId)}
        data-autofocus
      >
        Create link
      </Button>
    </div>
  )
}

const SessionsDialog = ({ user, onClose }: DialogProps) => {
  const { data, error } = useQuery(userSessionsQuery(user.userId))
  const end = useEndSessions()
  const endAll = () =>
    end.mutate(user.userId, { onSuccess: toastDone(`Ended all sessions of ${isolateText(user.name)}.`, onClose) })
  return (
    <div className="grid gap-4">
      {!data && !error && <Skeleton className="h-12 w-full" />}
      {data?.items.length === 0 && (
        <p className="text-sm text-muted">
          <bdi>{user.name}</bdi> isn’t signed in anywhere.
        </p>
      )}
      {data && data.items.length > 0 && <SessionList items={data.items} />}
      <FormFailure error={end.error ?? error} />
      {data && data.items.length > 0 && (
        <Button variant="danger" className="justify-self-end" busy={end.isPending} onClick={endAll}>
          End all
        </Button>
      )}
    </div>
  )
}

const DeletePersonDialog = ({ user, onClose }: DialogProps) => {
  const names = user.tokens ?? []
  const [tokens, setTokens] = useState<'revoke' | 'hand_over'>('revoke')
  const deletion = useDeleteUser(tokens)
  const name = isolateText(user.name)
  return (
    <DeleteDialog
      title={`Delete the account of ${name}?`}
      action="Delete account"
      keep="Keep"
      deletion={deletion}
      onDelete={() => deletion.mutateAsync(user.userId)}
      message={`Deleted the account of ${name}.`}
      onClose={onClose}
    >
      <p className="text-muted">
        Deletes the account of <bdi>{user.name}</bdi> with its sessions and passkeys. History and audit keep their name.
        You can’t undo this. Disable the account instead if you may want it back.
      </p>
      {names.length > 0 && (
        <div className="mt-4 grid gap-4">
          <p className="max-h-40 overflow-auto wrap-anywhere">
            Their {formatPlural(names.length, 'API token')}: {names.map(isolateText).join(', ')}
          </p>
          <Choices
            legend="What happens to API tokens"
            options={[
              { value: 'revoke', label: 'Revoke', hint: 'programs that use them lose access' },
              { value: 'hand_over', label: 'Hand over to me', hint: 'they work within your rights' },
            ]}
            value={tokens}
            onChange={setTokens}
          />
        </div>
      )}
    </DeleteDialog>
  )
}

export const OpenPersonDialog = ({ which, ...props }: DialogProps & { which: PersonDialog }) => {
  const name = isolateText(props.user.name)
  if (which === 'delete') return <DeletePersonDialog {...props} />
  return (
    <Dialog onClose={props.onClose} title={which === 'sessions' ? `Sessions of ${name}` : `Password link for ${name}`}>
      {which === 'sessions' ? <SessionsDialog {...props} /> : <PasswordLinkDialog {...props} />}
    </Dialog>
  )
}
