import { useState, type ReactNode } from 'react'
import { useGuardedMutation } from '#features/people/accounts/guarded-mutation.ts'
import { PasswordField } from '#features/people/accounts/password-field.tsx'
import { findErrorAt } from '#lib/api/api-error.ts'
import { Button } from '#ui/buttons/button.tsx'
import { bindText, Form, FormFailure } from '#ui/forms/form.tsx'

type ProveFormProps = {
  hasPassword: boolean
  action: string
  danger?: boolean
  autoFocus?: boolean
  children?: ReactNode
  onSend: (password: string) => Promise<unknown>
  onCancel: () => void
}

export const ProveForm = (props: ProveFormProps) => {
  const { hasPassword, action, danger = false, autoFocus = true, children, onSend, onCancel } = props
  const [password, setPassword] = useState('')
  const { send, error, isPending, refused } = useGuardedMutation(onSend)
  return (
    <Form onSubmit={() => send(password)} className="grid max-w-sm gap-4">
      {children}
      {hasPassword && (
        <PasswordField
          label="Your password"
          kind="current"
          autoFocus={autoFocus}
          {...bindText(password, setPassword)}
          error={findErrorAt(error, 'password')}
        />
      )}
      <FormFailure error={error} wait={refused} fields={['password']} />
      <div className="flex justify-end gap-2">
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" variant={danger ? 'danger' : 'primary'} busy={isPending} refused={refused}>
          {action}
        </Button>
      </div>
    </Form>
  )
}
