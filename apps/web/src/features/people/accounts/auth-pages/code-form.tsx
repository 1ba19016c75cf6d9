import { useState, type SubmitEvent } from 'react'
import { post } from '#lib/api/api.ts'
import { useGuardedMutation } from '#features/people/accounts/guarded-mutation.ts'
import { FormFailure } from '#ui/forms/form-failure.tsx'
import { Button } from '#ui/buttons/button.tsx'
import { TextField } from '#ui/forms/field.tsx'

/** The second step of a sign-in: a code of the authenticator app, or a backup code. */
export const CodeForm = ({ onDone, onBack }: { onDone: () => Promise<unknown>; onBack: () => void }) => {
  const [code, setCode] = useState('')
  const [backup, setBackup] = useState(false)
  const { send, error, isPending, refused, reset } = useGuardedMutation(async () => {
    await post('/api/auth/second-factor', { body: { code: code.trim() } })
    await onDone()
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (code.trim() !== '') send()
  }
  const change = () => {
    setBackup(!backup)
    setCode('')
    reset()
  }
  return (
    <form onSubmit={submit} className="grid gap-4">
      <TextField
        key={String(backup)}
        autoFocus
        label={backup ? 'Backup code' : 'Authenticator code'}
        name="code"
        autoComplete={backup ? 'off' : 'one-time-code'}
        inputMode={backup ? 'text' : 'numeric'}
        maxLength={30}
        required
        value={code}
        onChange={(event) => setCode(event.target.value)}
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
    </form>
  )
}
