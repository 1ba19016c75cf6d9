import type { LinkPurpose, UseLink } from '@docket/api-types/accounts'
import { useState } from 'react'
import { useGuardedMutation } from '#features/people/accounts/guarded-mutation.ts'
import { PasswordField } from '#features/people/accounts/password-field.tsx'
import { useRereadSession } from '#features/people/accounts/session.queries.ts'
import { findErrorAt } from '#lib/api/api-error.ts'
import { post } from '#lib/api/api.ts'
import { Button } from '#ui/buttons/button.tsx'
import { FormFailure, Form, bindDraft, TextField } from '#ui/forms/form.tsx'

const verbs: Record<LinkPurpose['kind'], string> = {
  invitation: 'Create account',
  password: 'Save password and sign in',
  sign_in: 'Sign in',
}

/** Redeems a one-time link. Only the button does, so that link scanners cannot use it up. */
export const LinkForm = ({ token, purpose, onUsed }: { token: string; purpose: LinkPurpose; onUsed: () => void }) => {
  const { kind, email } = purpose
  const [draft, setDraft] = useState({ name: purpose.name ?? '', password: '' })
  const again = useRereadSession()
  const { send, error, isPending, refused } = useGuardedMutation(async (more: Omit<UseLink, 'token'>) => {
    await post('/api/links/use', { body: { token, ...more } })
    await again()
    onUsed()
  })
  const { name, password } = draft
  const change = (changes: Partial<typeof draft>) => setDraft({ ...draft, ...changes })
  const { text } = bindDraft(draft, change, (field) => findErrorAt(error, field))
  return (
    <Form
      onSubmit={() => send({ ...(kind === 'invitation' && { name }), ...(kind !== 'sign_in' && { password }) })}
      className="grid gap-4"
    >
      {kind === 'invitation' && <TextField label="Name" name="name" autoComplete="name" {...text('name')} />}
      {kind !== 'sign_in' && (
        <>
          {/* Password managers keep the password under this name. */}
          <TextField label="E-mail" name="email" type="email" autoComplete="username" readOnly value={email} />
          <PasswordField label={kind === 'password' ? 'New password' : 'Password'} kind="new" {...text('password')} />
        </>
      )}
      <FormFailure error={error} wait={refused} fields={['name', 'password']} />
      <Button type="submit" variant="primary" size="md" busy={isPending} refused={refused}>
        {verbs[kind]}
      </Button>
    </Form>
  )
}
