import type { ConnectionSettings } from '@docket/api-types/connections'
import { SelectField, TextField, Options } from '#ui/forms/form.tsx'
import type { KeyDraft } from './connection-draft.ts'

type KeyFileFieldProps = {
  label: string
  draft: KeyDraft
  onChange: (draft: KeyDraft) => void
  /** Files that may be chosen; null without a folder for them. */
  files: readonly string[] | null
  error?: string | null
  optional?: boolean
}

type KeyFieldProps = KeyFileFieldProps & {
  /** Source of the present key; null for a new connection. */
  before: ConnectionSettings['key'] | null
  hint?: string
}

const describeKeyHint = (before: KeyFieldProps['before']) =>
  before && before.from !== 'none' ? 'Leave empty to keep the current key.' : 'Stored encrypted.'

/** A key as the name of a file. */
export const KeyFileField = ({ label, draft, onChange, files, error = null, optional = false }: KeyFileFieldProps) => (
  <SelectField
    label={label}
    optional={optional}
    value={draft.file}
    onChange={(event) => onChange({ value: '', file: event.target.value })}
    error={error}
  >
    <option value="">Enter here</option>
    <Options of={[...new Set([...(files ?? []), draft.file])].filter(Boolean).map((file) => [file, `File ${file}`])} />
  </SelectField>
)

/** A key, typed or as the name of a file. Never shows a stored one. */
export const KeyField = ({ before, hint, optional = false, ...field }: KeyFieldProps) =>
  field.draft.file === '' ? (
    <TextField
      label={field.label}
      optional={optional}
      type="password"
      autoComplete="new-password"
      value={field.draft.value}
      onChange={(event) => field.onChange({ value: event.target.value, file: '' })}
      error={field.error}
      hint={[hint, describeKeyHint(before)].filter(Boolean).join(' ')}
    />
  ) : (
    <KeyFileField {...field} optional={optional} />
  )
