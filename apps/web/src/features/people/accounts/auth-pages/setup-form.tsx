import type { SetUp } from '@docket/api-types/session'
import { useState } from 'react'
import { post } from '#lib/api/api.ts'
import { findErrorAt } from '#lib/api/api-error.ts'
import { FormFailure } from '#ui/forms/form-failure.tsx'
import { PasswordField } from '#features/people/accounts/password-field.tsx'
import { useRereadSession } from '#features/people/accounts/session.queries.ts'
import { useGuardedMutation } from '#features/people/accounts/guarded-mutation.ts'
import { Button } from '#ui/buttons/button.tsx'
import { TextField } from '#ui/forms/field.tsx'
import { Form } from '#ui/forms/form.tsx'

const fields = ['name', 'email', 'password']

const useCreateFirstAccount = (token: string) => {
  const again = useRereadSession()
  return useGuardedMutation(async (more: Omit<SetUp, 'token'>) => {
    await post('/api/setup', { body: { token, ...more } })
    await again()
  })
}

/** Creates the first account without a password, which only a Docket on loopback allows. */
export const StartWithoutPassword = ({ token, onPassword }: { token: string; onPassword: () => void }) => {
  const { send, error, isPending, refused } = useCreateFirstAccount(token)
  return (
    <div className="grid gap-4">
      <FormFailure error={error} wait={refused} />
      <Button variant="primary" size="md" busy={isPending} refused={refused} onClick={() => send({})} data-autofocus>
        Start using Docket
      </Button>
      <Button variant="quiet" className="justify-self-center" onClick={onPassword}>
        Set a password now
      </Button>
    </div>
  )
}

export const SetupForm = ({ token }: { token: string }) => {
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const { send, error, isPending, refused } = useCreateFirstAccount(token)
  return (
    <Form onSubmit={() => send({ ...(name.trim() && { name }), email, password })} className="grid gap-4">
      <TextField
        label="Name"
        optional
        name="name"
        autoComplete="name"
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={findErrorAt(error, 'name')}
      />
      <TextField
        label="E-mail"
        name="email"
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        error={findErrorAt(error, 'email')}
        hint="You sign in with this address. Docket sends no mail."
      />
      <PasswordField
        label="Password"
        kind="new"
        value={password}
        onChange={setPassword}
        error={findErrorAt(error, 'password')}
      />
      <FormFailure error={error} wait={refused} fields={fields} />
      <Button type="submit" variant="primary" size="md" busy={isPending} refused={refused}>
        Create account
      </Button>
    </Form>
  )
}
