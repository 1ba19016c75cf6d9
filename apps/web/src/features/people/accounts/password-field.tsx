import { Eye, EyeOff } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { IconButton } from '#ui/buttons/icon-button.tsx'
import { TextField } from '#ui/forms/field.tsx'

/** In UTF-16 units, as the server counts. The server also refuses commonly known passwords. */
const minLength = 15

const describeRules = (password: string): ReactNode => {
  const { length } = password
  if (length === 0) return `At least ${minLength} characters. A few unrelated words are easy to remember.`
  if (length < minLength) return `${minLength - length} more ${minLength - length === 1 ? 'character' : 'characters'}.`
  return 'Long enough.'
}

type PasswordFieldProps = {
  label: string
  value: string
  onChange: (value: string) => void
  kind: 'current' | 'new'
  error?: string | null
  name?: string
  autoFocus?: boolean
}

export const PasswordField = ({
  label,
  value,
  onChange,
  kind,
  error = null,
  name = 'password',
  autoFocus = false,
}: PasswordFieldProps) => {
  const [visible, setVisible] = useState(false)
  return (
    <TextField
      label={label}
      name={name}
      type={visible ? 'text' : 'password'}
      autoComplete={kind === 'new' ? 'new-password' : 'current-password'}
      autoCapitalize="none"
      maxLength={1000}
      autoFocus={autoFocus}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      error={error}
      hint={kind === 'new' && (error === null || value.length < minLength) && describeRules(value)}
      end={
        <IconButton
          icon={visible ? EyeOff : Eye}
          aria-pressed={visible}
          label={`Show ${label.toLowerCase()}`}
          title={visible ? 'Hide' : 'Show'}
          onClick={() => setVisible(!visible)}
        />
      }
    />
  )
}
