import type { Role } from '@docket/api-types/session'
import { useState, type SubmitEvent } from 'react'
import { errorAt } from '#lib/api/api-error.ts'
import { FormFailure } from '#ui/forms/form-failure.tsx'
import { Button } from '#ui/buttons/button.tsx'
import { Choices } from '#ui/forms/choices.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { TextField } from '#ui/forms/field.tsx'
import { LinkShown } from './link-shown.tsx'
import { useInvite } from './people.queries.ts'
import { offerRoles } from './roles.ts'

type InviteFormProps = { canLimit: boolean; onDone: () => void }

const InviteForm = ({ canLimit, onDone }: InviteFormProps) => {
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
        hint="They sign in with this address."
      />
      <Choices legend="Role" options={offerRoles(canLimit)} value={role} onChange={setRole} />
      <FormFailure error={error} fields={['email']} />
      <Button type="submit" variant="primary" busy={isPending} className="justify-self-end">
        Create link
      </Button>
    </form>
  )
}

/** Creates an invitation from an e-mail address and a role. */
export const InviteDialog = ({
  canLimit,
  open,
  onClose,
}: {
  canLimit: boolean
  open: boolean
  onClose: () => void
}) => (
  <Dialog open={open} onClose={onClose} title="Invite someone">
    <InviteForm canLimit={canLimit} onDone={onClose} />
  </Dialog>
)
