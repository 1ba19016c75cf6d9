import type { SignInStep } from '@docket/api-types/accounts'
import { useState } from 'react'
import { useGuardedMutation } from '#features/people/accounts/guarded-mutation.ts'
import { PasswordField } from '#features/people/accounts/password-field.tsx'
import { useSession, useRereadSession } from '#features/people/accounts/session.queries.ts'
import { post } from '#lib/api/api.ts'
import { Button } from '#ui/buttons/button.tsx'
import { bindDraft, bindText, Form, FormFailure, TextField } from '#ui/forms/form.tsx'
import { SignInMethods } from './sign-in-methods.tsx'

const CodeForm = ({ onDone, onBack }: { onDone: () => Promise<unknown>; onBack: () => void }) => {
  const [code, setCode] = useState('')
  const [backup, setBackup] = useState(false)
  const { send, error, isPending, refused, reset } = useGuardedMutation(async () => {
    await post('/api/auth/second-factor', { body: { code: code.trim() } })
    await onDone()
  })
  const submit = () => {
    if (code.trim() !== '') send()
  }
  const change = () => {
    setBackup(!backup)
    setCode('')
    reset()
  }
  return (
    <Form onSubmit={submit} noValidate={false} className="grid gap-4">
      <TextField
        key={String(backup)}
        autoFocus
        label={backup ? 'Backup code' : 'Authenticator code'}
        name="code"
        autoComplete={backup ? 'off' : 'one-time-code'}
        inputMode={backup ? 'text' : 'numeric'}
        maxLength={30}
        required
        {...bindText(code, setCode)}
        hint={backup ? 'Each one works once.' : 'Six digits from your authenticator app.'}
      />
      <FormFailure error={error} wait={refused} />
      <Button type="submit" variant="primary" size="md" busy={isPending} refused={refused}>
        Sign in
      </Button>
      <div className="flex flex-wrap justify-between gap-2">
        <Button variant="quiet" className="-ml-3" onClick={change}>
          {backup ? 'Use the app' : 'Use a backup code'}
        </Button>
        <Button variant="quiet" className="-mr-3" onClick={onBack}>
          Start over
        </Button>
      </div>
    </Form>
  )
}

type SignInFormProps = {
  returnTo: string
  /** Failure of the last sign-in, from the address; null if there was none. */
  problem?: string | null
  email?: string
  hadPassword?: boolean
}

type PasswordFormProps = { email: string; onStep: (step: SignInStep['next']) => Promise<void> }

const PasswordForm = ({ email: first, onStep }: PasswordFormProps) => {
  const [draft, setDraft] = useState({ email: first, password: '' })
  const { text } = bindDraft(
    draft,
    (changes) => setDraft({ ...draft, ...changes }),
    () => null,
  )
  const { send, error, isPending, refused } = useGuardedMutation(async () => {
    const { next } = await post('/api/auth/sign-in/password', { body: draft })
    await onStep(next)
  })
  return (
    <Form onSubmit={() => send()} noValidate={false} className="grid gap-4">
      <TextField
        label="E-mail"
        name="email"
        type="email"
        inputMode="email"
        autoComplete="username webauthn"
        autoCapitalize="none"
        required
        autoFocus={first === ''}
        {...text('email')}
      />
      <PasswordField label="Password" kind="current" {...text('password')} />
      <FormFailure error={error} wait={refused} />
      <Button type="submit" variant="primary" size="md" busy={isPending} refused={refused}>
        Sign in
      </Button>
    </Form>
  )
}

export const SignInForm = ({ returnTo, problem = null, email = '', hadPassword = false }: SignInFormProps) => {
  const [step, setStep] = useState<SignInStep['next']>('done')
  const { data } = useSession()
  const again = useRereadSession()
  const methods = data?.methods ?? { password: true, passkey: false, oidc: null }
  const onStep = async (next: SignInStep['next']) => {
    if (next === 'done') await again()
    else setStep(next)
  }
  if (step === 'second_factor') return <CodeForm onDone={again} onBack={() => setStep('done')} />
  return (
    <div className="grid gap-4">
      <FormFailure error={problem} />
      {methods.password && <PasswordForm email={email} onStep={onStep} />}
      <SignInMethods methods={methods} returnTo={returnTo} onDone={again} />
      {data?.passwordOptional && !hadPassword && (
        <p className="text-xs text-muted">
          Admin without a password? Run <code className="font-mono text-text">npm run admin:link</code> in Docket’s
          folder to get a sign-in link.
        </p>
      )}
    </div>
  )
}
