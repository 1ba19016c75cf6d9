import type { Passkey } from '@docket/api-types/accounts'
import type { Person } from '@docket/api-types/session'
import { useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '#features/people/accounts/session.queries.ts'
import { hasPasskeys, noPasskeys } from '#features/people/accounts/webauthn.ts'
import { isOwnName } from '#lib/address/own-address.ts'
import { isolateText } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { bindText, TextField } from '#ui/forms/form.tsx'
import { Panel, Skeleton, ReadState } from '#ui/layout/page.tsx'
import { Instant } from '#ui/live/ticking.tsx'
import { toastEnd } from '#ui/live/use-write.ts'
import { toast } from '#ui/messages/toast.ts'
import { passkeysQuery, useAddPasskey, useRemovePasskey } from './own-account.queries.ts'
import { ProveForm } from './prove-form.tsx'

const PasskeyRow = ({ passkey }: { passkey: Passkey }) => {
  const { mutateAsync, isPending } = useRemovePasskey()
  const [sure, setSure] = useState(false)
  const takeAway = () => toastEnd(mutateAsync(passkey.passkeyId), `Removed ${isolateText(passkey.name)}.`)
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-2.5">
      <KeyRound className="size-4 shrink-0 text-muted" aria-hidden="true" />
      <span className="min-w-0 flex-1 basis-40">
        <span className="block font-medium wrap-anywhere">
          <bdi>{passkey.name}</bdi>
        </span>
        <span className="block text-xs text-muted">
          Added <Instant at={passkey.createdAt} />, {passkey.synced ? 'synced' : 'this device only'}
        </span>
      </span>
      {sure ? (
        <span className="flex gap-2">
          <Button autoFocus variant="danger" busy={isPending} onClick={takeAway}>
            Remove
          </Button>
          <Button variant="quiet" onClick={() => setSure(false)}>
            Keep
          </Button>
        </span>
      ) : (
        <Button onClick={() => setSure(true)}>
          Remove…{' '}
          <span className="sr-only">
            <bdi>{passkey.name}</bdi>
          </span>
        </Button>
      )}
    </li>
  )
}

/** Reason why this page cannot create passkeys; null when it can. */
const usePasskeyRefusal = (): string | null => {
  const { data } = useSession()
  if (data && !data.methods.passkey)
    return 'Passkeys need a host name, and this address is a number. Open the address that Docket printed when it started.'
  return hasPasskeys() ? null : noPasskeys
}

export const PasskeysSection = ({ person }: { person: Person }) => {
  // Null until it was open. The button that replaces the form gets the focus.
  const [adding, setAdding] = useState<boolean | null>(null)
  const [name, setName] = useState('')
  const add = useAddPasskey()
  const query = useQuery(passkeysQuery)
  const { data } = query
  const done = () => {
    setAdding(false)
    setName('')
  }
  const send = async (password: string) => {
    await add.mutateAsync({ name: name.trim() || 'Passkey', password })
    toast('Passkey added. You can sign in with it now.', { tone: 'done' })
    done()
  }
  const refused = usePasskeyRefusal()
  return (
    <Panel
      title="Passkeys"
      lead="Sign in with your device’s screen lock. Phishing-resistant."
      action={
        !adding && (
          <Button autoFocus={adding === false} refused={refused} onClick={() => setAdding(true)}>
            Add a passkey…
          </Button>
        )
      }
    >
      {isOwnName() && person.passkeys > 0 && (
        <p className="mb-3 text-sm text-muted">
          A passkey only works at the address where you added it. Replace those you added at localhost.
        </p>
      )}
      <ReadState query={query} waiting={person.passkeys > 0 && <Skeleton className="h-12 w-full" />} />
      {data && data.items.length > 0 && (
        <ul aria-label="Passkeys" className="-my-1 divide-y divide-line text-sm">
          {data.items.map((passkey) => (
            <PasskeyRow key={passkey.passkeyId} passkey={passkey} />
          ))}
        </ul>
      )}
      {adding && (
        <div className={data && data.items.length > 0 ? 'mt-4 border-t border-line pt-4' : ''}>
          <ProveForm
            hasPassword={person.hasPassword}
            action="Add passkey"
            autoFocus={false}
            onSend={send}
            onCancel={done}
          >
            <TextField
              label="Name"
              autoFocus
              maxLength={100}
              placeholder="Passkey"
              {...bindText(name, setName)}
              hint="For example, “phone”."
            />
          </ProveForm>
        </div>
      )}
    </Panel>
  )
}
