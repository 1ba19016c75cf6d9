import { TextArea, TextField } from '#ui/forms/field.tsx'

type SecretFieldProps = {
  label: string
  value: string
  onChange: (value: string) => void
  error: string | null
  /** One is stored, and stays when nothing is typed. */
  isStored: boolean
  /** The stored one would go to another place than before. */
  again: boolean
  optional?: boolean
  /** A key has several lines. */
  multiline?: boolean
  hint?: string
}

const describe = ({ isStored, again }: Pick<SecretFieldProps, 'isStored' | 'again'>) => {
  if (again) return 'Enter it again: Docket sends a stored one only to the place that it was entered for.'
  return isStored ? 'Stored. Enter a new one to replace it.' : 'Stored encrypted, and never shown again.'
}

/** A secret as it is typed. Never shows the stored one. */
export const SecretField = (props: SecretFieldProps) => {
  const { label, value, onChange, error, isStored, again, optional = false, multiline = false, hint } = props
  const shared = {
    label,
    value,
    error,
    optional: optional && !again,
    hint: [hint, describe({ isStored, again })].filter(Boolean).join(' '),
  }
  return multiline ? (
    <TextArea
      {...shared}
      rows={4}
      placeholder="-----BEGIN OPENSSH PRIVATE KEY-----"
      onChange={({ target }) => onChange(target.value)}
    />
  ) : (
    <TextField
      {...shared}
      type="password"
      autoComplete="new-password"
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
