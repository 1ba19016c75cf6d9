import type { Person } from '@docket/api-types/session'
import { useState } from 'react'
import { useGuardedMutation } from '#features/people/accounts/guarded-mutation.ts'
import { PasswordField } from '#features/people/accounts/password-field.tsx'
import { findErrorAt } from '#lib/api/api-error.ts'
import { Button } from '#ui/buttons/button.tsx'
import { bindDraft, FormFailure, Form } from '#ui/forms/form.tsx'
import { Panel } from '#ui/layout/page.tsx'
import { toastDone } from '#ui/messages/toast.ts'
import { useChangePassword } from './own-account.queries.ts'

const PasswordForm = ({ person, onDone }: { person: Person; onDone: () => void }) => {
  const [draft, setDraft] = useState({ currentPassword: '', newPassword: '' })
  const { send, error, isPending, refused } = useGuardedMutation(useChangePassword().mutateAsync)
  const edit = (changes: Partial<typeof draft>) => setDraft({ ...draft, ...changes })
  const { text } = bindDraft(draft, edit, (field) => findErrorAt(error, field))
  const onSuccess = toastDone('Password saved. Your other sessions have ended.', onDone)
  const { currentPassword, newPassword } = draft
  const submit = () => send({ newPassword, ...(person.hasPassword && { currentPassword }) }, { onSuccess })
  return (
    <Form onSubmit={submit} className="grid max-w-sm gap-4">
      {/* Password managers keep the new password under this name. */}
      <input type="email" name="email" autoComplete="username" readOnly hidden value={person.email} />
      {person.hasPassword && (
        <PasswordField
          label="Current password"
          kind="current"
          name="currentPassword"
          autoFocus
          {...text('currentPassword')}
        />
      )}
      <PasswordField
        label="New password"
        kind="new"
        name="newPassword"
        autoFocus={!person.hasPassword}
        {...text('newPassword')}
      />
      <FormFailure error={error} wait={refused} fields={Object.keys(draft)} />
      <div className="flex justify-end gap-2">
        <Button variant="quiet" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" busy={isPending} refused={refused}>
          Save password
        </Button>
      </div>
    </Form>
  )
}

const describePassword = ({ hasPassword }: Person) =>
  hasPassword
    ? 'A new password ends all your other sessions.'
    : 'You have no password. This browser stays signed in, and each start of Docket prints a sign-in link.'

export const PasswordSection = ({ person, startOpen = false }: { person: Person; startOpen?: boolean }) => {
  // Null until it was open. The button that replaces the form gets the focus.
  const [open, setOpen] = useState<boolean | null>(startOpen || null)
  return (
    <Panel
      title="Password"
      lead={describePassword(person)}
      action={
        !open && (
          <Button autoFocus={open === false} onClick={() => setOpen(true)}>
            {person.hasPassword ? 'Change password…' : 'Set a password…'}
          </Button>
        )
      }
    >
      {open && <PasswordForm person={person} onDone={() => setOpen(false)} />}
    </Panel>
  )
}
