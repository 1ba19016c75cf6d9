import type { LinkPurpose, UseLink } from '@docket/api-types/accounts'
import { useMutation } from '@tanstack/react-query'
import { useState, type SubmitEvent } from 'react'
import { post } from '#lib/api.ts'
import { errorAt } from '#features/accounts/field-errors.ts'
import { FormFailure } from '#features/accounts/form-failure.tsx'
import { PasswordField } from '#features/accounts/password-field.tsx'
import { useSessionAgain } from '#features/accounts/session.queries.ts'
import { useWait } from '#features/accounts/wait.tsx'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/field.tsx'

const verbs: Record<LinkPurpose['kind'], string> = {
  invitation: 'Create my account',
  password: 'Save the password and sign in',
  sign_in: 'Sign in',
}

/** Redeems a one-time link. Only the button does, so that link scanners cannot use it up. */
export const LinkForm = ({ token, purpose, onUsed }: { token: string; purpose: LinkPurpose; onUsed: () => void }) => {
  const { kind, email } = purpose
  const [name, setName] = useState(purpose.name ?? '')
  const [password, setPassword] = useState('')
  const again = useSessionAgain()
  const wait = useWait()
  const use = useMutation({
    mutationFn: async (more: Omit<UseLink, 'token'>) => {
      await post('/api/links/use', { body: { token, ...more } })
      await again()
      onUsed()
    },
    onError: wait.tell,
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (use.isPending || wait.refused !== null) return
    use.mutate({ ...(kind === 'invitation' && { name }), ...(kind !== 'sign_in' && { password }) })
  }
  return (
    <form onSubmit={submit} className="grid gap-4" noValidate>
      {kind === 'invitation' && (
        <TextField
          label="Name"
          name="name"
          autoComplete="name"
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={errorAt(use.error, 'name')}
        />
      )}
      {kind !== 'sign_in' && (
        <>
          {/* Password managers keep the password under this name. */}
          <TextField label="E-mail" name="email" type="email" autoComplete="username" readOnly value={email} />
          <PasswordField
            label={kind === 'password' ? 'New password' : 'Password'}
            kind="new"
            value={password}
            onChange={setPassword}
            error={errorAt(use.error, 'password')}
          />
        </>
      )}
      <FormFailure error={use.error} wait={wait.refused} fields={['name', 'password']} />
      <Button type="submit" variant="primary" size="md" busy={use.isPending} refused={wait.refused}>
        {verbs[kind]}
      </Button>
    </form>
  )
}
