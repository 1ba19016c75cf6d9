import type { Role } from '@docket/api-types/session'
import { useId, useState, type SubmitEvent } from 'react'
import { errorAt } from '#features/accounts/field-errors.ts'
import { FormFailure } from '#features/accounts/form-failure.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { TextField } from '#ui/field.tsx'
import { LinkShown } from './link-shown.tsx'
import { useInvite } from './people.queries.ts'
import { roles } from './roles.ts'

const RoleChoice = ({ role, onRole }: { role: Role; onRole: (role: Role) => void }) => {
  const name = useId()
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 text-sm font-medium">Role</legend>
      {roles.map(({ value, label, may }) => (
        <label
          key={value}
          className="flex cursor-pointer items-center gap-2.5 rounded-md border border-line px-3 py-2 text-sm font-medium has-checked:border-accent has-checked:bg-accent-soft"
        >
          <input
            type="radio"
            name={name}
            checked={role === value}
            onChange={() => onRole(value)}
            className="accent-accent"
          />
          {label}
          <span className="font-normal text-muted">{may}</span>
        </label>
      ))}
    </fieldset>
  )
}

const InviteForm = ({ onDone }: { onDone: () => void }) => {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('operator')
  const { mutate, data: link, error, isPending } = useInvite()
  if (link) return <LinkShown link={link} whose={email.trim()} onDone={onDone} />
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!isPending) mutate({ email, role })
  }
  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      <TextField
        label="E-mail"
        type="email"
        autoCapitalize="none"
        data-autofocus
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        error={errorAt(error, 'email')}
        hint="Their name to sign in with."
      />
      <RoleChoice role={role} onRole={setRole} />
      <FormFailure error={error} fields={['email']} />
      <Button type="submit" variant="primary" busy={isPending} className="justify-self-end">
        Make the link
      </Button>
    </form>
  )
}

/** Creates an invitation from an e-mail address and a role. */
export const InviteDialog = ({ open, onClose }: { open: boolean; onClose: () => void }) => (
  <Dialog open={open} onClose={onClose} title="Invite somebody">
    <InviteForm onDone={onClose} />
  </Dialog>
)
