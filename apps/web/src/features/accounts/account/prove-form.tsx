import { useState, type ReactNode, type SubmitEvent } from 'react'
import { errorAt } from '#features/accounts/field-errors.ts'
import { FormFailure } from '#features/accounts/form-failure.tsx'
import { PasswordField } from '#features/accounts/password-field.tsx'
import { useWait } from '#features/accounts/wait.tsx'
import { Button } from '#ui/button.tsx'

type ProveFormProps = {
  /** True when the person has a password. */
  hasPassword: boolean
  action: string
  danger?: boolean
  /** True when the password is the first field. */
  autoFocus?: boolean
  /** Shown before the password. */
  children?: ReactNode
  onSend: (password: string) => Promise<unknown>
  onCancel: () => void
}

/** Asks for the password before a sign-in method changes. */
export const ProveForm = ({
  hasPassword,
  action,
  danger = false,
  autoFocus = true,
  children,
  onSend,
  onCancel,
}: ProveFormProps) => {
  const [password, setPassword] = useState('')
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const wait = useWait()
  const send = async () => {
    setBusy(true)
    try {
      await onSend(password)
    } catch (thrown) {
      setError(thrown)
      wait.tell(thrown)
    } finally {
      setBusy(false)
    }
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!busy && wait.refused === null) void send()
  }
  return (
    <form onSubmit={submit} noValidate className="grid max-w-sm gap-4">
      {children}
      {hasPassword && (
        <PasswordField
          label="Your password"
          kind="current"
          autoFocus={autoFocus}
          value={password}
          onChange={setPassword}
          error={errorAt(error, 'password')}
        />
      )}
      <FormFailure error={error} wait={wait.refused} fields={['password']} />
      <div className="flex gap-2">
        <Button type="submit" variant={danger ? 'danger' : 'primary'} busy={busy} refused={wait.refused}>
          {action}
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
