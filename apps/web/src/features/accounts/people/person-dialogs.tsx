import type { User } from '@docket/api-types/accounts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { SessionList } from '#features/accounts/session-list.tsx'
import { isolate } from '#lib/bidi.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { FormFailure } from '#ui/forms/form-failure.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { toast } from '#ui/toast.ts'
import { LinkShown } from './link-shown.tsx'
import { useDeleteUser, useEndSessions, usePasswordLink, userSessionsQuery } from './people.queries.ts'

/** Open dialog about a person. */
export type PersonDialog = 'password link' | 'sessions' | 'delete'

type DialogProps = { user: User; onClose: () => void }

const PasswordLink = ({ user, onClose }: DialogProps) => {
  const { mutate, data: link, error, isPending } = usePasswordLink()
  if (link) return <LinkShown link={link} whose={user.name} onDone={onClose} />
  return (
    <div className="grid gap-4">
      <p className="text-sm text-muted">
        With the link they choose a new password, also when they have forgotten the old one. Nothing changes until they
        do; then their other sessions end. Whoever has the link can do it.
      </p>
      <FormFailure error={error} />
      <Button
        variant="primary"
        className="justify-self-end"
        busy={isPending}
        onClick={() => mutate(user.userId)}
        data-autofocus
      >
        Make the link
      </Button>
    </div>
  )
}

const Sessions = ({ user, onClose }: DialogProps) => {
  const { data, error } = useQuery(userSessionsQuery(user.userId))
  const end = useEndSessions()
  const endAll = () =>
    end.mutate(user.userId, {
      onSuccess: () => {
        toast(`Every session of ${isolate(user.name)} has ended.`, { tone: 'done' })
        onClose()
      },
    })
  return (
    <div className="grid gap-4">
      {!data && !error && <Skeleton className="h-12 w-full" />}
      {data?.items.length === 0 && (
        <p className="text-sm text-muted">
          <bdi>{user.name}</bdi> is signed in nowhere.
        </p>
      )}
      {data && data.items.length > 0 && <SessionList items={data.items} />}
      <FormFailure error={end.error ?? error} />
      {data && data.items.length > 0 && (
        <Button variant="danger" className="justify-self-end" busy={end.isPending} onClick={endAll}>
          End them all
        </Button>
      )}
    </div>
  )
}

const Delete = ({ user, onClose }: DialogProps) => {
  const { mutate, error, isPending } = useDeleteUser()
  const keep = useRef<HTMLButtonElement>(null)
  // Enter must not trigger what cannot be undone.
  useEffect(() => keep.current?.focus(), [])
  const go = () =>
    mutate(user.userId, {
      onSuccess: () => {
        toast(`Deleted the account of ${isolate(user.name)}.`, { tone: 'done' })
        onClose()
      },
    })
  return (
    <div className="grid gap-4">
      <p className="text-sm text-muted">
        <bdi>{user.name}</bdi> is out at once, with sessions and passkeys. API tokens that they made work on until
        somebody revokes them. What they did stays in the history and the audit, under their name. This cannot be
        undone; disabling the account can.
      </p>
      <FormFailure error={error} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button ref={keep} onClick={onClose}>
          Keep it
        </Button>
        <Button variant="danger" busy={isPending} onClick={go}>
          Delete the account
        </Button>
      </div>
    </div>
  )
}

const dialogs = {
  'password link': { title: (name: string) => `Password link for ${name}`, Content: PasswordLink },
  sessions: { title: (name: string) => `Sessions of ${name}`, Content: Sessions },
  delete: { title: (name: string) => `Delete the account of ${name}?`, Content: Delete },
} as const

/** Shows the dialog `which` about a person. */
export const PersonDialogShown = ({ which, ...props }: DialogProps & { which: PersonDialog }) => {
  const { title, Content } = dialogs[which]
  return (
    <Dialog open onClose={props.onClose} title={title(isolate(props.user.name))}>
      <Content {...props} />
    </Dialog>
  )
}
