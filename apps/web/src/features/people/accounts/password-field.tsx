import { Eye, EyeOff } from 'lucide-react'
import { useState, type ComponentProps, type ReactNode } from 'react'
import { IconButton } from '#ui/buttons/button.tsx'
import { TextField } from '#ui/forms/form.tsx'

/** In UTF-16 units, as the server counts. The server also refuses commonly known passwords. */
const minLength = 15

const describeRules = (password: string): ReactNode => {
  const { length } = password
  if (length === 0) return `At least ${minLength} characters. A few unrelated words are easy to remember.`
  if (length < minLength) return `${minLength - length} more ${minLength - length === 1 ? 'character' : 'characters'}.`
  return 'Long enough.'
}

type PasswordFieldProps = ComponentProps<typeof TextField> & { value: string; kind: 'current' | 'new' }

export const PasswordField = ({ kind, ...field }: PasswordFieldProps) => {
  const { label, value, error } = field
  const [visible, setVisible] = useState(false)
  return (
    <TextField
      name="password"
      {...field}
      type={visible ? 'text' : 'password'}
      autoComplete={kind === 'new' ? 'new-password' : 'current-password'}
      autoCapitalize="none"
      maxLength={1000}
      hint={kind === 'new' && (!error || value.length < minLength) && describeRules(value)}
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
