import type { SetUp } from '@docket/api-types/session'
import { useState } from 'react'
import { useGuardedMutation } from '#features/people/accounts/guarded-mutation.ts'
import { PasswordField } from '#features/people/accounts/password-field.tsx'
import { useRereadSession } from '#features/people/accounts/session.queries.ts'
import { findErrorAt } from '#lib/api/api-error.ts'
import { post } from '#lib/api/api.ts'
import { Button } from '#ui/buttons/button.tsx'
import { FormFailure, Form, bindDraft, TextField } from '#ui/forms/form.tsx'

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
  const [draft, setDraft] = useState({ name: '', email: '', password: '' })
  const { send, error, isPending, refused } = useCreateFirstAccount(token)
  const change = (changes: Partial<typeof draft>) => setDraft({ ...draft, ...changes })
  const { text } = bindDraft(draft, change, (field) => findErrorAt(error, field))
  const { name, ...rest } = draft
  return (
    <Form onSubmit={() => send({ ...(name.trim() && { name }), ...rest })} className="grid gap-4">
      <TextField label="Name" optional name="name" autoComplete="name" {...text('name')} />
      <TextField
        label="E-mail"
        name="email"
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        {...text('email')}
        hint="You sign in with this address. Docket sends no mail."
      />
      <PasswordField label="Password" kind="new" {...text('password')} />
      <FormFailure error={error} wait={refused} fields={Object.keys(draft)} />
      <Button type="submit" variant="primary" size="md" busy={isPending} refused={refused}>
        Create account
      </Button>
    </Form>
  )
}
